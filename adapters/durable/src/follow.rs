//! Follows a remote call until it ends: forwards its events to this process, and cancellations to the engine.

use std::pin::pin;
use std::time::Duration;

use futures_util::future::{Either, select};

use skills_call::{CallError, CallId, CallOptions, Failure};
use skills_exec::RunId;

use crate::Progress;

/// How often the progress of a run is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Waits for the output of a run. Meanwhile, it reports the events that `progress` returns to the observer of
/// `options`, and passes a cancellation on through `cancel`.
///
/// # Errors
/// The errors of `output`, or [`CallError::Cancelled`] after the run was cancelled.
pub async fn follow<T, P, C>(
    call: CallId,
    skill: &str,
    options: &CallOptions,
    output: impl Future<Output = Result<T, CallError>>,
    progress: impl Fn() -> P,
    cancel: impl Fn() -> C,
) -> Result<T, CallError>
where
    P: Future<Output = Result<Progress, Failure>>,
    C: Future<Output = Result<(), Failure>>,
{
    let cancelled = async {
        match &options.cancellation {
            Some(cancellation) => cancellation.cancelled().await,
            None => std::future::pending().await,
        }
    };
    let (mut output, mut cancelled) = (pin!(output), pin!(cancelled));
    let mut seen = Progress::default();
    let mut emit = |now: Progress| {
        if let Some(observer) = &options.on_event {
            now.events_since(&seen, call, skill).iter().for_each(|event| observer(event));
        }
        seen = now;
    };
    let output = loop {
        let look = async {
            tokio::time::sleep(POLL_INTERVAL).await;
            match options.on_event {
                Some(_) => progress().await,
                None => std::future::pending().await,
            }
        };
        match select(output.as_mut(), select(cancelled.as_mut(), pin!(look))).await {
            Either::Left((output, _)) => break output?,
            Either::Right((Either::Left(_), _)) => {
                cancel().await.map_err(|source| CallError::Journal { skill: skill.to_owned(), source })?;
                return Err(CallError::cancelled(skill));
            }
            // There may be no progress to report for a while, if the worker is busy or stopped.
            Either::Right((Either::Right((now, _)), _)) => now.into_iter().for_each(&mut emit),
        }
    };
    if options.on_event.is_some() {
        progress().await.into_iter().for_each(emit);
    }
    Ok(output)
}

/// Returns a new, unique key for a run.
pub fn fresh_key() -> String {
    format!("run-{}", RunId::fresh())
}
