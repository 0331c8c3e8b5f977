//! Why a call has no output: one typed error, in the words of SPEC 6.2, 6.4 and 8.3.

mod fault;
mod text;

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

pub use fault::Fault;
use skills_registry::{Mode, NotFound};
use skills_template::RenderError;

use crate::boxed::Failure;
use crate::model::ModelError;
use skills_runtime::capabilities::{MAX_DEPTH, Missing, MissingCapability};
use skills_runtime::trust::{TrustReason, Untrusted};
use skills_runtime::typed::{Invalid, Violation};

/// Why a call has no output.
///
/// `Display` is the whole text, for whoever runs the program; [`for_clients`](CallError::for_clients) is what others may
/// read. What lies below is in [`source`](std::error::Error::source).
#[derive(Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The calls are nested too deep (SPEC 6.4).
    Depth {
        /// The skill that was called.
        skill: String,
        /// How many calls are around it.
        depth: u32,
        /// How many there may be.
        limit: u32,
    },
    /// No skill has the name, or the host has not granted what it requires (SPEC 2.9, 8.3).
    NotFound(NotFound),
    /// The skill comes from a workspace, and nobody has said that it may run (SPEC 14.10).
    NotTrusted(Untrusted),
    /// The skill has no `skill.json`, so it cannot be called.
    NotAFunction {
        /// The skill that was called.
        skill: String,
    },
    /// The input breaks rules of its schema; all of them are listed.
    InvalidInput {
        /// The skill that was called.
        skill: String,
        /// The violations, or the position where the input stops being JSON.
        invalid: Invalid,
    },
    /// The output breaks rules of its schema; all of them are listed.
    InvalidOutput {
        /// The skill that was called.
        skill: String,
        /// The violations, or the position where the output stops being JSON.
        invalid: Invalid,
    },
    /// The last attempt reached its time limit.
    Timeout {
        /// The skill that was called.
        skill: String,
        /// The limit of one attempt.
        limit: Duration,
    },
    /// Neither a function of the host nor a program serves the skill (SPEC 6.2).
    NoHost {
        /// The skill that was called.
        skill: String,
        /// How it runs.
        mode: Mode,
    },
    /// The skill needs a language model, and the runner has none.
    NoModel {
        /// The skill that was called.
        skill: String,
    },
    /// The function of the host failed.
    Host {
        /// The skill that was called.
        skill: String,
        /// The error of the host function.
        source: Failure,
    },
    /// The program of the skill did not succeed.
    Program {
        /// The skill that was called.
        skill: String,
        /// The outcome of the run.
        outcome: Box<skills_exec::Outcome>,
    },
    /// The program was not started: its files could not be unpacked, or its time limit is invalid.
    NotRun {
        /// The skill that was called.
        skill: String,
        /// Why.
        source: skills_exec::NotRun,
    },
    /// A template could not be evaluated, or grew over the limit.
    Template {
        /// The skill that contains the template.
        skill: String,
        /// Why.
        source: RenderError,
    },
    /// The model gave no answer.
    Model {
        /// The skill that was called.
        skill: String,
        /// Why.
        source: ModelError,
    },
    /// A step of a pipeline failed.
    Step {
        /// The skill that the pipeline belongs to.
        skill: String,
        /// The name of the step.
        step: String,
        /// The place of the item in the list of a `foreach`, from 0.
        item: Option<usize>,
        /// Why.
        source: Box<CallError>,
    },
    /// The `foreach` of a step is not an array.
    NotAnArray {
        /// The type that was found.
        found: &'static str,
    },
    /// A finished step could neither be looked up nor be written down.
    Journal {
        /// The skill that the pipeline belongs to.
        skill: String,
        /// Why.
        source: Failure,
    },
    /// The skill was called elsewhere, and failed there; made of what was recorded about that.
    Elsewhere(Box<Fault>),
    /// The caller cancelled the call.
    Cancelled {
        /// The skill that was called.
        skill: String,
    },
}

/// The kind of error that a call ended with, for callers that answer in codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No such function.
    NotFound,
    /// The skill is not trusted.
    NotTrusted,
    /// The input of the call does not fit.
    InvalidInput,
    /// A time limit was reached.
    Timeout,
    /// The runner has no model.
    NoModel,
    /// The skill has neither a host function nor a program.
    NoHost,
    /// The caller cancelled.
    Cancelled,
    /// Anything else.
    Failed,
}

impl ErrorKind {
    /// Returns the kind as a word: `not_found`, `not_trusted`, `invalid_input`, `timeout`, `no_model`, `no_host`, `cancelled` or
    /// `call_failed`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::NotTrusted => "not_trusted",
            Self::InvalidInput => "invalid_input",
            Self::Timeout => "timeout",
            Self::NoModel => "no_model",
            Self::NoHost => "no_host",
            Self::Cancelled => "cancelled",
            Self::Failed => "call_failed",
        }
    }

    /// Finds the kind that [`ErrorKind::as_str`] writes as this word.
    pub fn of(word: &str) -> Option<Self> {
        let kinds = [
            Self::NotFound,
            Self::NotTrusted,
            Self::InvalidInput,
            Self::Timeout,
            Self::NoModel,
            Self::NoHost,
            Self::Cancelled,
            Self::Failed,
        ];
        kinds.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl From<Fault> for CallError {
    fn from(fault: Fault) -> Self {
        Self::Elsewhere(Box::new(fault))
    }
}

impl From<Missing> for CallError {
    fn from(Missing { skill, lack }: Missing) -> Self {
        match lack {
            MissingCapability::Code(mode) => Self::NoHost { skill, mode },
            MissingCapability::Model => Self::NoModel { skill },
            MissingCapability::Function => Self::NotAFunction { skill },
            MissingCapability::Trust => Self::NotTrusted(Untrusted {
                skill,
                directory: PathBuf::from("its directory"),
                place: PathBuf::from("DIR"),
                why: TrustReason::Unsaid,
            }),
            MissingCapability::Depth => Self::Depth { skill, depth: MAX_DEPTH, limit: MAX_DEPTH },
        }
    }
}

impl CallError {
    /// Says that a call could not be begun elsewhere.
    pub fn unreachable(skill: &str, why: &Failure) -> Self {
        Fault::new(ErrorKind::Failed, format!("Skill \"{skill}\" failed: {why}")).into()
    }

    pub(super) fn cancelled(skill: &str) -> Self {
        Self::Cancelled { skill: skill.to_owned() }
    }

    /// Returns the kind of the error. What a step lacked or how long it took counts as the call's; that a step was
    /// given a wrong input does not.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound(_) | Self::NotAFunction { .. } => ErrorKind::NotFound,
            Self::NotTrusted(_) => ErrorKind::NotTrusted,
            Self::NotRun { source: skills_exec::NotRun::NotTrusted(_), .. } => ErrorKind::NotTrusted,
            Self::InvalidInput { .. } => ErrorKind::InvalidInput,
            Self::Timeout { .. } => ErrorKind::Timeout,
            Self::NoModel { .. } => ErrorKind::NoModel,
            Self::NoHost { .. } => ErrorKind::NoHost,
            Self::Cancelled { .. } => ErrorKind::Cancelled,
            Self::Elsewhere(fault) => fault.kind,
            Self::Step { source, .. } => match source.kind() {
                ErrorKind::NotFound | ErrorKind::InvalidInput => ErrorKind::Failed,
                kind => kind,
            },
            _ => ErrorKind::Failed,
        }
    }

    /// Returns the broken rules of an invalid input or output; none for any other error.
    pub fn violations(&self) -> Cow<'_, [Violation]> {
        match self {
            Self::InvalidInput { invalid, .. } | Self::InvalidOutput { invalid, .. } => invalid.violations(),
            Self::Elsewhere(fault) => Cow::Borrowed(&fault.violations),
            _ => Cow::Borrowed(&[]),
        }
    }

    /// How long the provider of a model wants to be left alone (SPEC 7.7).
    pub(super) fn retry_after(&self) -> Duration {
        match self {
            Self::Model { source, .. } => source.retry_after.unwrap_or_default(),
            Self::Step { source, .. } => source.retry_after(),
            Self::Elsewhere(fault) => fault.retry_after,
            _ => Duration::ZERO,
        }
    }

    /// Returns `true` if the same call may succeed when it is repeated.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Program { .. } => true,
            Self::NotRun { source, .. } => {
                !matches!(source, skills_exec::NotRun::Refused(_) | skills_exec::NotRun::NotTrusted(_))
            }
            Self::Model { source, .. } => source.is_retryable,
            // A function that passes on what its own call ended with is judged by that.
            Self::Host { source, .. } => source.downcast_ref::<Self>().is_none_or(Self::is_retryable),
            Self::Step { source, .. } => source.is_retryable(),
            Self::Elsewhere(fault) => fault.is_retryable,
            _ => false,
        }
    }
}

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotFound(missing) => Some(missing),
            Self::NotTrusted(untrusted) => Some(untrusted),
            Self::InvalidInput { invalid, .. } | Self::InvalidOutput { invalid, .. } => Some(invalid),
            Self::Host { source, .. } | Self::Journal { source, .. } => Some(source.as_ref()),
            Self::NotRun { source, .. } => Some(source),
            Self::Template { source, .. } => Some(source),
            Self::Model { source, .. } => Some(source),
            Self::Step { source, .. } => Some(source.as_ref()),
            _ => None,
        }
    }
}
