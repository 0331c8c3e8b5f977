//! The messages between a pipeline and the workers that run its steps: plain data with a JSON form.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::Duration;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::model::Usage;
use crate::pipeline::Answer;
use crate::trace::TraceContext;
use crate::{CallError, CallOptions, Called, ErrorKind, Fault, PendingStep, Runner, StepRecord, StepState};
use skills_runtime::typed::Violation;

/// A call of a skill in another process.
///
/// Its JSON form is `{"skill": …, "input": …}`. A step also has `place`, `depth` and `timeout_ms`, and a call
/// within a trace has `traceparent` and `tracestate`. The input text is kept byte for byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The name of the skill.
    pub skill: String,
    /// The input of the skill as JSON text.
    pub input: String,
    /// The place of a pipeline's step in its run: `monday/summarize[3]`. A call outside of a pipeline has
    /// none.
    pub place: Option<String>,
    /// The number of the attempt, from 0.
    pub attempt: u32,
    /// How many calls surround this one.
    pub depth: u32,
    /// The time limit of one attempt, if it differs from the skill's own.
    pub timeout: Option<Duration>,
    /// Whether the skill is a pipeline.
    pub is_pipeline: bool,
    /// The trace context of the caller that began the run.
    pub trace: Option<TraceContext>,
    /// The rules that the output of the attempt before broke. A model is told about them.
    pub rejected: Vec<Violation>,
}

impl Request {
    /// Creates a request outside of any pipeline; the input is JSON text.
    pub fn new(skill: impl Into<String>, input: impl Into<String>) -> Self {
        Self { skill: skill.into(), input: input.into(), ..Self::default() }
    }

    /// Creates the request for an attempt of a step.
    ///
    /// # Errors
    /// The skill of the step does not exist.
    pub fn from_step(step: &PendingStep<'_>) -> Result<Self, CallError> {
        let attempt = step.attempt();
        Ok(Self {
            skill: attempt.skill().to_owned(),
            input: attempt.input.clone(),
            place: Some(attempt.place()),
            attempt: attempt.key.attempt,
            depth: attempt.depth(),
            timeout: attempt.timeout(),
            is_pipeline: step.is_pipeline()?,
            trace: step.trace().cloned(),
            rejected: attempt.rejected.clone(),
        })
    }

    /// Copies the depth, time limit, place and trace of the request into `options`.
    pub fn options(&self, options: CallOptions) -> CallOptions {
        let options = options.trace(self.trace.clone());
        let (place, rejected) = (self.place.clone(), self.rejected.clone());
        CallOptions { depth: self.depth, timeout: self.timeout, place, rejected, ..options }
    }

    /// Makes the call in this process.
    pub async fn run(&self, runner: &Runner, options: CallOptions) -> Reply {
        Reply::from_result(runner.call_text(&self.skill, self.input.as_str(), self.options(options)).await)
    }

    /// Returns the error text for a worker with another version of the skill than at the start of the run.
    pub fn changed(&self) -> String {
        format!(
            "the files of \"{}\", or of a skill that it calls, differ from the files at the start of this run: the run waits for a worker with the same files",
            self.skill
        )
    }

    /// Returns the JSON text of the request.
    pub fn to_json(&self) -> String {
        let (place, trace) = (self.place.as_deref(), self.trace.as_ref());
        let state = trace.map(TraceContext::state).filter(|state| !state.is_empty());
        object([
            member("skill", Some(quote(&self.skill))),
            member("input", Some(&self.input)),
            member("place", place.map(quote)),
            member("depth", place.map(|_| self.depth)),
            member("attempt", Some(self.attempt).filter(|attempt| *attempt > 0)),
            member("is_pipeline", self.is_pipeline.then_some(1)),
            member("timeout_ms", self.timeout.map(|timeout| timeout.as_millis())),
            member("traceparent", trace.map(|trace| quote(trace.parent()))),
            member("tracestate", state.map(quote)),
            member("rejected", list(&self.rejected, write_violation)),
        ])
    }

    /// Parses a request from JSON text. Returns `None` if the text is not a JSON object or has no `skill`.
    pub fn from_json(text: &str) -> Option<Self> {
        let members = Members::parse(text)?;
        Some(Self {
            skill: members.text("skill")?,
            input: members.raw("input").unwrap_or("{}").to_owned(),
            place: members.text("place"),
            attempt: read_small("attempt", &members),
            depth: read_small("depth", &members),
            timeout: read_number("timeout_ms", &members).map(Duration::from_millis),
            is_pipeline: read_number("is_pipeline", &members) == Some(1),
            trace: members
                .text("traceparent")
                .and_then(|parent| TraceContext::new(&parent, members.text("tracestate").as_deref())),
            rejected: members.list("rejected").iter().filter_map(read_violation).collect(),
        })
    }
}

fn read_small(name: &str, members: &Members<'_>) -> u32 {
    read_number(name, members).and_then(|number| u32::try_from(number).ok()).unwrap_or_default()
}

fn read_number(name: &str, members: &Members<'_>) -> Option<u64> {
    members.get(name).and_then(|value| value.as_u64())
}

/// The reply to an order. A failure contains all data that a pipeline or a caller needs for its decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The skill returned an output.
    Output {
        /// The output as JSON text.
        text: String,
        /// The usage of the models that the skill called.
        usage: Usage,
        /// The state of each step of a pipeline, in file order.
        steps: Vec<StepRecord>,
    },
    /// The skill failed.
    Failure(Fault),
    /// The wait is over.
    Over,
}

impl Reply {
    /// Converts the result of a call. A failure contains the text for clients ([`CallError::for_clients`]),
    /// because replies are recorded.
    pub fn from_result(result: Result<Called<String>, CallError>) -> Self {
        match result {
            Ok(Called { output, steps, usage }) => Self::Output { text: output, usage, steps },
            Err(error) => Self::Failure(Fault::from(&error)),
        }
    }

    /// Returns the reply for a skill that was not called, or whose reply was lost. It is not retryable.
    pub fn lost(skill: &str, kind: ErrorKind, why: &str) -> Self {
        let text = match kind {
            ErrorKind::Cancelled => CallError::cancelled(skill).to_string(),
            _ => format!("Skill \"{skill}\" failed: {why}"),
        };
        Self::Failure(Fault::new(kind, text))
    }

    /// Parses the reply of a worker.
    pub fn read(skill: &str, text: &str) -> Self {
        Self::from_json(text)
            .unwrap_or_else(|| Self::lost(skill, ErrorKind::Failed, "the answer of a worker is not a reply"))
    }

    /// Returns the result for the pipeline.
    ///
    /// # Errors
    /// [`CallError::Remote`] if the skill failed, with everything that is known about the failure.
    pub fn answer(self, skill: &str) -> Result<Answer, CallError> {
        let Called { output, usage, .. } = self.called(skill)?;
        Ok(Answer { usage, ..output.into() })
    }

    /// Returns the result for a caller.
    ///
    /// # Errors
    /// As [`Reply::answer`].
    pub fn called(self, skill: &str) -> Result<Called<String>, CallError> {
        match self {
            Self::Output { text, usage, steps } => Ok(Called { output: text, steps, usage }),
            Self::Failure(fault) => Err(fault.into()),
            Self::Over => Self::lost(skill, ErrorKind::Failed, "a wait was answered").called(skill),
        }
    }

    /// Returns the data of the reply without the output text, for engines that show outputs to people. For a
    /// failure, returns everything. [`Reply::join`] is the inverse.
    pub fn beside(&self) -> String {
        match self {
            Self::Output { usage, steps, .. } => {
                Self::Output { text: "null".to_owned(), usage: *usage, steps: steps.clone() }.to_json()
            }
            other => other.to_json(),
        }
    }

    /// Combines an output with the text that [`beside`](Self::beside) returned. Data that cannot be parsed is
    /// ignored.
    pub fn join(output: String, beside: &str) -> Self {
        match Self::from_json(beside) {
            Some(Self::Output { usage, steps, .. }) => Self::Output { text: output, usage, steps },
            _ => Self::Output { text: output, usage: Usage::default(), steps: Vec::new() },
        }
    }

    /// Returns the JSON text of the reply: `{"output": …, "tokens": [7, 9], "steps": [["search",
    /// "memory_search", "done"]]}`, `{"error": …, "kind": "timeout", "retry": true, "after_ms": 2000,
    /// "violations": […]}` or `{}`.
    pub fn to_json(&self) -> String {
        match self {
            Self::Output { text, usage, steps } => {
                let tokens =
                    (*usage != Usage::default()).then_some([usage.input_tokens, usage.output_tokens]);
                object([
                    member("output", Some(text)),
                    member("tokens", tokens.map(|tokens| Value::from(tokens.to_vec()))),
                    member("steps", list(steps, write_step)),
                ])
            }
            Self::Failure(Fault { kind, text, is_retryable, retry_after, violations }) => object([
                member("error", Some(quote(text))),
                member("kind", Some(quote(kind.as_str()))),
                member("retry", Some(is_retryable)),
                member("after_ms", Some(retry_after.as_millis()).filter(|after| *after > 0)),
                member("violations", list(violations, write_violation)),
            ]),
            Self::Over => "{}".to_owned(),
        }
    }

    /// Parses a reply from JSON text. Returns `None` if the text is not a JSON object.
    pub fn from_json(text: &str) -> Option<Self> {
        let members = Members::parse(text)?;
        if let Some(output) = members.raw("output") {
            let tokens = members.list("tokens");
            let usage =
                Usage { input_tokens: read_tokens(0, &tokens), output_tokens: read_tokens(1, &tokens) };
            let steps = members.list("steps").iter().filter_map(read_step).collect();
            return Some(Self::Output { text: output.to_owned(), usage, steps });
        }
        let Some(text) = members.text("error") else { return Some(Self::Over) };
        let kind = members.text("kind").and_then(|word| word.parse().ok());
        let is_retryable = members.get("retry").and_then(|retry| retry.as_bool()).unwrap_or_default();
        let after = members.get("after_ms").and_then(|after| after.as_u64()).unwrap_or_default();
        Some(Self::Failure(Fault {
            retry_after: Duration::from_millis(after),
            violations: members.list("violations").iter().filter_map(read_violation).collect(),
            ..Fault::new(kind.unwrap_or(ErrorKind::Failed), text).retryable(is_retryable)
        }))
    }
}

fn read_tokens(at: usize, tokens: &[Value]) -> u64 {
    tokens.get(at).and_then(Value::as_u64).unwrap_or_default()
}

/// Returns `[STEP, SKILL, STATE]`, followed by the error text if the step failed.
fn write_step(StepRecord { step, skill, state }: &StepRecord) -> Value {
    let (word, text) = match state {
        StepState::Done => ("done", None),
        StepState::Resumed => ("resumed", None),
        StepState::Skipped => ("skipped", None),
        StepState::Failed(text) => ("failed", Some(text.as_str())),
    };
    [step.as_str(), skill.as_str(), word].into_iter().chain(text).collect()
}

fn read_step(written: &Value) -> Option<StepRecord> {
    let state = match read_text(2, written)?.as_str() {
        "done" => StepState::Done,
        "resumed" => StepState::Resumed,
        "skipped" => StepState::Skipped,
        _ => StepState::Failed(read_text(3, written).unwrap_or_default()),
    };
    Some(StepRecord { step: read_text(0, written)?, skill: read_text(1, written)?, state })
}

fn read_text(at: usize, written: &Value) -> Option<String> {
    Some(written.get(at)?.as_str()?.to_owned())
}

/// Returns `[POINTER, RULE, EXPECTED, FOUND]`, followed by the name of the missing property if there is one.
fn write_violation(Violation { pointer, rule, expected, found, property }: &Violation) -> Value {
    [pointer.as_str(), rule, expected, found].into_iter().chain(property.as_deref()).collect()
}

fn read_violation(written: &Value) -> Option<Violation> {
    let rule = Violation::rule_of(&read_text(1, written)?);
    let (pointer, expected, found) = (read_text(0, written)?, read_text(2, written)?, read_text(3, written)?);
    Some(Violation { property: read_text(4, written), ..Violation::new(pointer, rule, expected, found) })
}

/// The members of an object, each with its original text.
struct Members<'t>(BTreeMap<String, &'t RawValue>);

impl<'t> Members<'t> {
    fn parse(text: &'t str) -> Option<Self> {
        serde_json::from_str(text).ok().map(Self)
    }

    fn raw(&self, name: &str) -> Option<&'t str> {
        self.0.get(name).map(|value| value.get())
    }

    fn list(&self, name: &str) -> Vec<Value> {
        match self.get(name) {
            Some(Value::Array(list)) => list,
            _ => Vec::new(),
        }
    }

    fn get(&self, name: &str) -> Option<Value> {
        serde_json::from_str(self.raw(name)?).ok()
    }

    fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.raw(name)?).ok()
    }
}

/// Writes a JSON object. A member without a value is left out.
fn object<const N: usize>(members: [Option<String>; N]) -> String {
    let members: Vec<String> = members.into_iter().flatten().collect();
    format!("{{{}}}", members.join(","))
}

/// Writes a member of an object; the value is JSON text.
fn member(name: &str, json: Option<impl Display>) -> Option<String> {
    json.map(|json| format!(r#""{name}":{json}"#))
}

/// Returns a list as JSON unless it is empty.
fn list<T>(items: &[T], write: fn(&T) -> Value) -> Option<Value> {
    (!items.is_empty()).then(|| items.iter().map(write).collect())
}

fn quote(text: &str) -> Value {
    Value::from(text)
}
