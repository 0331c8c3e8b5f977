//! One step: its condition, its calls, and what takes the place of its result when they fail (SPEC 5.4, 5.7).

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use skills_template::pipeline::Step;
use skills_template::{RenderError, Scope, evaluate, holds};

use super::super::attempt::{Policy, repeat};
use super::super::journal::Entry;
use super::super::run::{Frame, Invocation, parse_output, run as run_call};
use super::super::{CallError, Event, StepState};
use super::{foreach, scope};

/// A step that is about to run.
pub(super) struct StepRun<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) step: &'a Step,
    /// The input of the pipeline.
    pub(super) input: &'a Value,
    /// The results of the steps that had to be done before.
    pub(super) before: Vec<(&'a str, Arc<Value>)>,
}

/// What became of a step.
pub(super) enum Done {
    Skipped,
    Made(Value, StepState),
}

/// One result, and whether it was found in the journal.
pub(super) struct Made {
    pub(super) value: Value,
    pub(super) is_resumed: bool,
}

/// Runs a step; an error is one that fails the call.
pub(super) async fn run(run: &StepRun<'_>) -> Result<Done, CallError> {
    let StepRun { frame, step, .. } = run;
    let condition = step.condition.as_ref().map_or(Ok(true), |condition| {
        holds(condition.root(), &run.scope(), frame.call.engine.limits).map_err(|source| run.template(source))
    });
    if let Ok(false) = condition {
        return Ok(Done::Skipped);
    }
    let names = || (frame.name(), step.name.to_string());
    frame.call.tell(|| {
        let (skill, step) = names();
        Event::StepStart { skill, step }
    });
    let result = match (condition, &step.foreach) {
        (Err(error), _) => Err(run.failure(None, error)),
        (Ok(_), Some(list)) => foreach::run(run, list).await,
        (Ok(_), None) => call(run, None).await.map_err(|error| run.failure(None, error)),
    };
    let (result, error) = match result {
        Ok(Made { value, is_resumed: false }) => (Ok(Done::Made(value, StepState::Done)), None),
        Ok(Made { value, is_resumed: true }) => (Ok(Done::Made(value, StepState::Resumed)), None),
        Err(error) => {
            let text = cause(&error).to_string();
            let result = match run.forgive(&error) {
                Some(value) => Ok(Done::Made(value, StepState::Failed(text.clone()))),
                None => Err(error),
            };
            (result, Some(text))
        }
    };
    frame.call.tell(|| {
        let (skill, step) = names();
        Event::StepEnd { skill, step, error }
    });
    result
}

/// Calls the skill of a step once, for the step or for one item of its list; an error does not name the step.
pub(super) async fn call(run: &StepRun<'_>, item: Option<(usize, &Value)>) -> Result<Made, CallError> {
    let StepRun { frame, step, .. } = run;
    let input = run.arguments(item)?;
    let engine = &frame.call.engine;
    let entry = match (frame.place, &frame.call.journal, &engine.store) {
        (Some(place), Some(key), Some(store)) => {
            let callee = engine.find(&step.skill, frame.is_typed)?;
            let item = item.map(|(index, _)| index);
            Some(Entry::new(store.as_ref(), key, place, &step.name, item, callee, &input))
        }
        _ => None,
    };
    if let Some(entry) = &entry
        && let Some(text) = entry.load(frame.name()).await?
    {
        return Ok(Made { value: parse_output(&step.skill, &text)?, is_resumed: true });
    }
    let delay = Duration::from_millis(step.retry_delay_ms);
    let policy = Policy { retry: step.retry, delay, limit: None };
    let produced = repeat(&step.skill, policy, || {
        let invocation = Invocation {
            name: &step.skill,
            input: input.clone(),
            depth: frame.depth + 1,
            timeout: step.timeout_ms.map(Duration::from_millis),
            is_typed: frame.is_typed,
            place: entry.as_ref().map(|entry| entry.place().to_owned()),
        };
        run_call(frame.call, invocation)
    });
    let produced = produced.await?;
    if let Some(entry) = &entry {
        entry.save(frame.name(), &produced.text).await?;
    }
    Ok(Made { value: parse_output(&step.skill, &produced.text)?, is_resumed: false })
}

impl StepRun<'_> {
    /// Returns what the templates of the step see; a `foreach` adds its item.
    pub(super) fn scope(&self) -> Scope<'_> {
        scope(self.input, self.before.iter().map(|(name, value)| (*name, &**value)))
    }

    /// Writes the input of one call as JSON text.
    fn arguments(&self, item: Option<(usize, &Value)>) -> Result<String, CallError> {
        let mut scope = self.scope();
        if let Some((index, item)) = item {
            let index = i64::try_from(index).unwrap_or(i64::MAX);
            let index = skills_template::Value::Number(skills_template::Number::Int(index));
            scope = scope.with_json("item", item).with("index", index);
        }
        let limits = self.frame.call.engine.limits;
        let mut text = String::new();
        let value = evaluate(self.step.input.root(), &scope, limits);
        let written = value.and_then(|value| {
            let located = |fault| RenderError { fault, expression: "input".to_owned(), span: None };
            value.write_text(&mut text, limits).map_err(located)
        });
        written.map_err(|source| self.template(source))?;
        Ok(text)
    }

    pub(super) fn template(&self, source: RenderError) -> CallError {
        CallError::Template { skill: self.frame.name(), source }
    }

    /// Says which step failed, and at which item.
    pub(super) fn failure(&self, item: Option<usize>, error: CallError) -> CallError {
        let (skill, step) = (self.frame.name(), self.step.name.to_string());
        CallError::Step { skill, step, item, source: Box::new(error) }
    }

    /// Returns what takes the place of a result, when the step is to go on after errors.
    pub(super) fn forgive(&self, error: &CallError) -> Option<Value> {
        let cause = cause(error);
        let is_forgiven = self.step.continue_on_error && !matches!(cause, CallError::Journal { .. });
        is_forgiven.then(|| json!({"_error": cause.to_string(), "_failed": true}))
    }
}

/// Returns what made the step fail.
fn cause(error: &CallError) -> &CallError {
    match error {
        CallError::Step { source, .. } => source,
        other => other,
    }
}
