//! Runs an attempt under its time limit, and repeats failed attempts.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use futures_util::future::{Either, select};
use tokio::time::{Instant, timeout};

use super::CallFrame;
use crate::CallError;
use skills_registry::Skill;

/// The longest wait between two attempts.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// The wait after the first attempt, unless a step sets another.
pub(crate) const FIRST_WAIT: Duration = Duration::from_secs(1);

/// Returns the wait after an attempt (numbered from 0) that ended with `error`. The first wait is `first`,
/// and each further wait doubles. The wait is longer if the provider asks for a longer one. Returns `None` if
/// another attempt would be useless, or if the provider asks for more than the longest wait.
pub(crate) fn wait(first: Duration, attempt: u32, error: &CallError) -> Option<Duration> {
    let factor = 1u32.checked_shl(attempt).unwrap_or(u32::MAX);
    let wait = first.saturating_mul(factor).min(LONGEST_WAIT).max(error.retry_after());
    (error.is_retryable() && wait <= LONGEST_WAIT).then_some(wait)
}

/// Repeats attempts until one succeeds, one fails permanently, or no attempts are left; `retry` decides
/// whether an error allows another attempt.
pub(crate) async fn repeat<T, F>(
    frame: &CallFrame<'_>,
    retry: u32,
    mut attempt: impl FnMut() -> F,
) -> Result<T, CallError>
where
    F: Future<Output = Result<T, CallError>>,
{
    let mut done = 0;
    loop {
        let result = attempt().await;
        let failure = result.as_ref().err().filter(|_| done < retry);
        match failure.and_then(|error| wait(FIRST_WAIT, done, error)) {
            Some(wait) => frame.sleep(wait).await,
            None => return result,
        }
        done += 1;
    }
}

/// Runs one attempt of a pipeline and drops it at its time limit, measured by the clock of its steps.
pub(crate) async fn within_steps<T>(
    frame: &CallFrame<'_>,
    attempt: impl Future<Output = Result<T, CallError>>,
) -> Result<T, CallError> {
    let (skill, limit) = (frame.function.skill, frame.limit);
    let Some(steps) = frame.steps() else { return within(skill, limit, attempt).await };
    match select(pin!(attempt), steps.sleep(limit)).await {
        Either::Left((result, _)) => result,
        Either::Right(_) => Err(CallError::Timeout { skill: skill.name().to_owned(), limit }),
    }
}

/// Runs one attempt and drops it at its time limit.
pub(crate) async fn within<T>(
    skill: Skill<'_>,
    limit: Duration,
    attempt: impl Future<Output = Result<T, CallError>>,
) -> Result<T, CallError> {
    let start = Instant::now();
    let mut attempt = pin!(attempt);
    // A function that finishes at once needs no timer.
    let first = poll_fn(|context| Poll::Ready(attempt.as_mut().poll(context)));
    if let Poll::Ready(result) = first.await {
        return result;
    }
    // The attempt was polled just now and has registered the waker, so the first poll of `rest` is skipped.
    let mut was_just_polled = true;
    let rest = poll_fn(|context| {
        if std::mem::take(&mut was_just_polled) { Poll::Pending } else { attempt.as_mut().poll(context) }
    });
    // The timer is boxed, so that functions that finish at once reserve no space for it.
    match Box::pin(timeout(limit.saturating_sub(start.elapsed()), rest)).await {
        Ok(result) => result,
        Err(_) => Err(CallError::Timeout { skill: skill.name().to_owned(), limit }),
    }
}

#[cfg(test)]
mod tests {
    use super::{CallError, Duration, wait};
    use crate::model::ModelError;

    fn model(source: ModelError) -> CallError {
        CallError::Model { skill: "s".to_owned(), source }
    }

    // SPEC 5.7
    #[test]
    fn waits_double_up_to_thirty_seconds() {
        let lost = model(ModelError::new("lost").retryable());
        let waits = |first| {
            [0, 1, 2, 4, 5, 40].map(|attempt| wait(first, attempt, &lost).unwrap_or_default().as_millis())
        };
        assert_eq!(waits(Duration::from_secs(1)), [1_000, 2_000, 4_000, 16_000, 30_000, 30_000]);
        assert_eq!(waits(Duration::ZERO), [0; 6]);
        assert_eq!(waits(Duration::MAX), [30_000; 6]);
    }

    // SPEC 7.7
    #[test]
    fn the_wait_that_a_provider_requests_is_kept() {
        let second = Duration::from_secs(1);
        let seconds_of = |seconds| {
            let busy = ModelError::new("busy").retryable().with_retry_after(Duration::from_secs(seconds));
            wait(second, 1, &model(busy)).map(|wait| wait.as_secs())
        };
        assert_eq!(
            [seconds_of(0), seconds_of(7), seconds_of(30), seconds_of(31)],
            [Some(2), Some(7), Some(30), None]
        );
        assert_eq!(wait(second, 1, &model(ModelError::new("wrong key"))), None);
    }
}
