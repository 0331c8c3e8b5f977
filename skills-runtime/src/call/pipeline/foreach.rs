//! A step over a list: its items run a few at a time, and their results keep the order of the list (SPEC 5.7).

use std::future::poll_fn;
use std::task::Poll;

use futures_util::stream::{FuturesUnordered, StreamExt};
use skills_template::{Tree, Value, evaluate};

use super::super::{CallError, Event};
use super::step::{Made, StepRun, call};

/// How many items may be done in a row.
const BURST: usize = 64;

/// Runs a step for each item of its list. However long the list, only as many calls exist at once as may run.
pub(super) async fn run(run: &StepRun<'_>, list: &Tree) -> Result<Made, CallError> {
    let list = items(run, list).map_err(|error| run.failure(None, error))?;
    let limit = match run.step.concurrency {
        0 => run.frame.call.engine.concurrency,
        limit => usize::try_from(limit).unwrap_or(usize::MAX),
    };
    let mut results = vec![String::new(); list.len()];
    let mut is_resumed = !list.is_empty();
    let mut done = 0;
    let mut waiting = list.iter().enumerate();
    let mut running = FuturesUnordered::new();
    loop {
        while running.len() < limit
            && let Some((index, item)) = waiting.next()
        {
            running.push(async move { (index, call(run, Some((index, item))).await) });
        }
        let Some((index, result)) = running.next().await else { break };
        let made = match result.map_err(|error| run.failure(Some(index), error)) {
            Ok(made) => made,
            Err(error) => {
                let text = run.forgive(&error).ok_or(error)?;
                Made { text, is_resumed: false }
            }
        };
        results[index] = made.text;
        is_resumed &= made.is_resumed;
        done += 1;
        if done % BURST == 0 {
            pause().await;
        }
        run.frame.call.tell(|| {
            let (skill, step) = (run.frame.name(), run.step.name.to_string());
            Event::StepItem { call: run.frame.id, skill, step, done, total: list.len() }
        });
    }
    Ok(Made { text: format!("{{\"results\":[{}]}}", results.join(",")), is_resumed })
}

/// Lets other tasks run: items that never wait would keep the thread, and the call from being cancelled.
async fn pause() {
    let mut is_over = false;
    poll_fn(|context| {
        if std::mem::replace(&mut is_over, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Evaluates the list. Its items stay where they are.
fn items<'r>(run: &'r StepRun<'_>, list: &'r Tree) -> Result<Vec<Value<'r>>, CallError> {
    let scope = run.scope();
    let value = evaluate(list.root(), &scope, run.frame.call.engine.limits);
    let value = value.map_err(|source| run.template(source))?;
    let found = if matches!(value, Value::Missing) { "no value" } else { value.kind().name() };
    value.into_items().ok_or(CallError::NotAnArray { found })
}
