//! One step: its condition, its calls, and what takes the place of its result when they fail (SPEC 5.4, 5.7).

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use skills_template::pipeline::Step;
use skills_template::{Number, RenderError, Scope, Value, evaluate, holds};

use super::super::attempt::{Policy, repeat};
use super::super::document::Document;
use super::super::journal::Entry;
use super::super::open::OpenStep;
use super::super::run::{Frame, Invocation, run as run_call};
use super::super::{CallError, StepState};
use super::{foreach, scope};

/// A step that is about to run.
pub(super) struct StepRun<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) step: &'a Step,
    /// The input of the pipeline.
    pub(super) input: &'a Document,
    /// The results of the steps that had to be done before.
    pub(super) before: Vec<(&'a str, Arc<StepResult>)>,
}

/// What became of a step.
pub(super) enum Done {
    Skipped,
    Made(StepResult, StepState),
}

/// The result of a step: as text, and as templates look into it.
pub(super) struct StepResult {
    pub(super) text: String,
    pub(super) document: Document,
}

/// JSON text that calls made, and whether all of it was found in the journal.
pub(super) struct Made {
    pub(super) text: String,
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
    let open = OpenStep::begin(*frame, step);
    let result = match (condition, &step.foreach) {
        (Err(error), _) => Err(run.failure(None, error)),
        (Ok(_), Some(list)) => foreach::run(run, list).await,
        (Ok(_), None) => call(run, None).await.map_err(|error| run.failure(None, error)),
    };
    let (result, failure) = match result {
        Ok(made) => {
            let state = if made.is_resumed { StepState::Resumed } else { StepState::Done };
            (run.result(made.text, state), None)
        }
        Err(error) => {
            let (text, kind) = (cause(&error).to_string(), cause(&error).kind());
            let result = match run.forgive(&error) {
                Some(result) => run.result(result, StepState::Failed(text.clone())),
                None => Err(error),
            };
            (result, Some((text, kind)))
        }
    };
    open.end(failure);
    result
}

/// Calls the skill of a step once, for the step or for one item of its list; an error does not name the step.
pub(super) async fn call(run: &StepRun<'_>, item: Option<(usize, &Value<'_>)>) -> Result<Made, CallError> {
    let StepRun { frame, step, .. } = run;
    let input = run.arguments(item)?;
    let entry = Entry::of(*frame, step, item.map(|(index, _)| index), run.is_typed(), &input)?;
    if let Some(entry) = &entry
        && let Some(text) = entry.load().await?
    {
        return Ok(Made { text, is_resumed: true });
    }
    let delay = Duration::from_millis(step.retry_delay_ms);
    let policy = Policy { retry: step.retry, delay };
    let produced = repeat(policy, || {
        let invocation = Invocation {
            name: &step.skill,
            input: input.clone(),
            depth: frame.depth + 1,
            parent: Some(frame.id),
            timeout: step.timeout_ms.map(Duration::from_millis),
            is_typed: run.is_typed(),
            place: entry.as_ref().map(|entry| entry.place().to_owned()),
        };
        run_call(frame.call, invocation)
    });
    let produced = produced.await?;
    if let Some(entry) = &entry {
        entry.save(&produced.text).await?;
    }
    Ok(Made { text: produced.text, is_resumed: false })
}

impl StepRun<'_> {
    /// Returns what the templates of the step see; a `foreach` adds its item.
    pub(super) fn scope(&self) -> Scope<'_> {
        scope(self.input, self.before.iter().map(|(name, value)| (*name, &**value)))
    }

    /// Tells whether the skill of the bundle is meant: by the pipeline of a bundled skill, in a typed call (SPEC 1.6).
    fn is_typed(&self) -> bool {
        self.frame.is_typed && self.frame.function.skill.is_bundled()
    }

    /// Reads what calls made; it was checked, so it is JSON.
    fn result(&self, text: String, state: StepState) -> Result<Done, CallError> {
        let document = Document::parse(&text).map_err(|invalid| {
            let skill = self.step.skill.to_string();
            self.failure(None, CallError::InvalidOutput { skill, invalid })
        })?;
        Ok(Done::Made(StepResult { text, document }, state))
    }

    /// Writes the input of one call as JSON text.
    fn arguments(&self, item: Option<(usize, &Value<'_>)>) -> Result<String, CallError> {
        let mut scope = self.scope();
        if let Some((index, item)) = item {
            let index = i64::try_from(index).unwrap_or(i64::MAX);
            scope = scope.with("item", item.clone()).with("index", Value::Number(Number::Int(index)));
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
    pub(super) fn forgive(&self, error: &CallError) -> Option<String> {
        let cause = cause(error);
        let is_forgiven = self.step.continue_on_error && !matches!(cause, CallError::Journal { .. });
        is_forgiven.then(|| json!({"_error": cause.to_string(), "_failed": true}).to_string())
    }
}

/// Returns what made the step fail.
fn cause(error: &CallError) -> &CallError {
    match error {
        CallError::Step { source, .. } => source,
        other => other,
    }
}
