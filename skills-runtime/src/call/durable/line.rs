//! What goes over the line between a pipeline and whoever runs its steps: plain data, and as JSON text.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::call::pipeline::Answer;
use crate::call::{CallError, CallOptions, Called, ErrorKind, PendingStep, Runner};
use crate::model::Usage;

/// A call of a skill that is made elsewhere.
///
/// As JSON it is `{"skill": …, "input": …}`, and for a step besides `place`, `depth` and `timeout_ms`. The input is the text
/// that it was, to the byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The skill.
    pub skill: String,
    /// Its input: JSON text.
    pub input: String,
    /// Where in a run the call is, for a step of a pipeline: `monday/summarize[3]`. Without one it is a call of its own.
    pub place: Option<String>,
    /// Which attempt of the step it is, from 0.
    pub attempt: u32,
    /// How many calls are around it (SPEC 6.4).
    pub depth: u32,
    /// The limit of one attempt, where it is not that of the skill.
    pub timeout: Option<Duration>,
    /// Whether the skill is a pipeline.
    pub is_pipeline: bool,
}

impl Request {
    pub(super) fn of(step: &PendingStep<'_>) -> Result<Self, CallError> {
        let attempt = step.attempt();
        Ok(Self {
            skill: attempt.skill().to_owned(),
            input: attempt.input.clone(),
            place: Some(attempt.place()),
            attempt: attempt.key.attempt,
            depth: attempt.depth(),
            timeout: attempt.timeout(),
            is_pipeline: step.is_pipeline()?,
        })
    }

    /// Returns what of `options` the request says itself: its depth, its limit, its place.
    pub fn options(&self, options: CallOptions) -> CallOptions {
        CallOptions { depth: self.depth, timeout: self.timeout, place: self.place.clone(), ..options }
    }

    /// Makes the call in this process.
    pub async fn run(&self, runner: &Runner, options: CallOptions) -> Reply {
        Reply::of(runner.call_text(&self.skill, self.input.as_str(), self.options(options)).await)
    }

    /// Writes it as JSON text.
    pub fn to_json(&self) -> String {
        let mut text = format!(r#"{{"skill":{},"input":{}"#, quote(&self.skill), self.input);
        if let Some(place) = &self.place {
            text.push_str(&format!(r#","place":{},"depth":{}"#, quote(place), self.depth));
        }
        for (name, number) in [("attempt", u64::from(self.attempt)), ("is_pipeline", self.is_pipeline.into())]
        {
            if number > 0 {
                text.push_str(&format!(r#","{name}":{number}"#));
            }
        }
        if let Some(timeout) = self.timeout {
            text.push_str(&format!(r#","timeout_ms":{}"#, timeout.as_millis()));
        }
        text.push('}');
        text
    }

    /// Reads it; nothing when it is no JSON object or has no `skill`.
    pub fn from_json(text: &str) -> Option<Self> {
        let members = Members::of(text)?;
        let number = |name| members.get(name).and_then(|value| value.as_u64());
        let small = |name| number(name).and_then(|number| u32::try_from(number).ok()).unwrap_or_default();
        Some(Self {
            skill: members.text("skill")?,
            input: members.raw("input").unwrap_or("{}").to_owned(),
            place: members.text("place"),
            attempt: small("attempt"),
            depth: small("depth"),
            timeout: number("timeout_ms").map(Duration::from_millis),
            is_pipeline: number("is_pipeline") == Some(1),
        })
    }
}

/// What an order came to: nothing of a failure is lost that a pipeline decides by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The skill has an output.
    Output {
        /// JSON text.
        text: String,
        /// What models cost that were asked.
        usage: Usage,
    },
    /// It failed.
    Failure {
        /// What kind of failure it is.
        kind: ErrorKind,
        /// The whole text.
        text: String,
        /// Whether the same call may succeed when it is made again.
        is_retryable: bool,
    },
    /// The wait is over.
    Over,
}

impl Reply {
    /// Makes the reply of what a call came to. The text of a failure is the one for clients
    /// ([`CallError::for_clients`]), since it is recorded.
    pub fn of(result: Result<Called<String>, CallError>) -> Self {
        match result {
            Ok(called) => Self::Output { text: called.output, usage: called.usage },
            Err(error) => Self::Failure {
                kind: error.kind(),
                text: error.for_clients(),
                is_retryable: error.is_retryable(),
            },
        }
    }

    /// Makes the reply of a skill that was not called, or whose reply was lost: trying again is of no use.
    pub fn lost(skill: &str, kind: ErrorKind, why: &str) -> Self {
        let text = match kind {
            ErrorKind::Cancelled => CallError::cancelled(skill).to_string(),
            _ => format!("Skill \"{skill}\" failed: {why}"),
        };
        Self::Failure { kind, text, is_retryable: false }
    }

    /// Returns what the pipeline is told.
    ///
    /// # Errors
    /// [`CallError::Elsewhere`] of a failure, with its kind and its text.
    pub fn answer(self, skill: &str) -> Result<Answer, CallError> {
        match self {
            Self::Output { text, usage } => Ok(Answer { usage, ..text.into() }),
            Self::Failure { kind, text, is_retryable } => {
                Err(CallError::Elsewhere { kind, text, is_retryable })
            }
            Self::Over => Self::lost(skill, ErrorKind::Failed, "a wait was answered").answer(skill),
        }
    }

    /// Writes it as JSON text: `{"output": …, "tokens": [7, 9]}`, `{"error": …, "kind": "timeout", "retry": true}` or `{}`.
    pub fn to_json(&self) -> String {
        match self {
            Self::Output { text, usage } if *usage == Usage::default() => format!(r#"{{"output":{text}}}"#),
            Self::Output { text, usage: Usage { input_tokens, output_tokens } } => {
                format!(r#"{{"output":{text},"tokens":[{input_tokens},{output_tokens}]}}"#)
            }
            Self::Failure { kind, text, is_retryable } => {
                let (text, kind) = (quote(text), quote(kind.as_str()));
                format!(r#"{{"error":{text},"kind":{kind},"retry":{is_retryable}}}"#)
            }
            Self::Over => "{}".to_owned(),
        }
    }

    /// Reads it; nothing when it is no JSON object.
    pub fn from_json(text: &str) -> Option<Self> {
        let members = Members::of(text)?;
        if let Some(output) = members.raw("output") {
            let tokens = members.get("tokens").unwrap_or_default();
            let tokens = |at: usize| tokens.get(at).and_then(Value::as_u64).unwrap_or_default();
            let usage = Usage { input_tokens: tokens(0), output_tokens: tokens(1) };
            return Some(Self::Output { text: output.to_owned(), usage });
        }
        let Some(text) = members.text("error") else { return Some(Self::Over) };
        let kind = members.text("kind").and_then(|word| ErrorKind::of(&word));
        let is_retryable = members.get("retry").and_then(|retry| retry.as_bool()).unwrap_or_default();
        Some(Self::Failure { kind: kind.unwrap_or(ErrorKind::Failed), text, is_retryable })
    }
}

/// The members of an object, each as it was written.
struct Members<'t>(BTreeMap<String, &'t RawValue>);

impl<'t> Members<'t> {
    fn of(text: &'t str) -> Option<Self> {
        serde_json::from_str(text).ok().map(Self)
    }

    fn raw(&self, name: &str) -> Option<&'t str> {
        self.0.get(name).map(|value| value.get())
    }

    fn get(&self, name: &str) -> Option<Value> {
        serde_json::from_str(self.raw(name)?).ok()
    }

    fn text(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.raw(name)?).ok()
    }
}

fn quote(text: &str) -> Value {
    Value::from(text)
}
