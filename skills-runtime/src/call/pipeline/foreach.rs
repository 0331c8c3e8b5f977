//! A step over a list: its items run a few at a time, and their results keep the order of the list (SPEC 5.7).

use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::{Value, json};
use skills_template::{RenderError, Tree, evaluate};

use super::super::{CallError, Event};
use super::step::{Made, StepRun, call};

/// Runs a step for each item of its list. However long the list, only as many calls exist at once as may run.
pub(super) async fn run(run: &StepRun<'_>, list: &Tree) -> Result<Made, CallError> {
    let list = items(run, list).map_err(|error| run.failure(None, error))?;
    let limit = match run.step.concurrency {
        0 => run.frame.call.engine.concurrency,
        limit => usize::try_from(limit).unwrap_or(usize::MAX),
    };
    let mut results = vec![Value::Null; list.len()];
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
                let value = run.forgive(&error).ok_or(error)?;
                Made { value, is_resumed: false }
            }
        };
        results[index] = made.value;
        is_resumed &= made.is_resumed;
        done += 1;
        run.frame.call.tell(|| {
            let (skill, step) = (run.frame.name(), run.step.name.to_string());
            Event::StepItem { skill, step, done, total: list.len() }
        });
    }
    Ok(Made { value: json!({ "results": results }), is_resumed })
}

/// Evaluates the list.
fn items(run: &StepRun<'_>, list: &Tree) -> Result<Vec<Value>, CallError> {
    let limits = run.frame.call.engine.limits;
    let scope = run.scope();
    let value = evaluate(list.root(), &scope, limits).map_err(|source| run.template(source))?;
    let found = value.kind().name();
    let copied = value
        .to_json(limits)
        .map_err(|fault| run.template(RenderError { fault, expression: "foreach".to_owned(), span: None }))?;
    match copied {
        Some(Value::Array(items)) => Ok(items),
        Some(_) => Err(CallError::NotAnArray { found }),
        None => Err(CallError::NotAnArray { found: "no value" }),
    }
}
