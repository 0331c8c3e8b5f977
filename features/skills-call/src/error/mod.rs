//! The error type of calls, [`CallError`], and its kinds.

use std::borrow::Cow;
use std::time::Duration;

use skills_registry::NotFound;
use skills_runtime::capabilities::{Missing, MissingCapability};
use skills_runtime::trust::Untrusted;
use skills_runtime::typed::{Invalid, Violation};
use skills_template::render::RenderError;

use crate::host::Failure;
use crate::mcp::ServerError;
use crate::model::{ModelError, ModelErrorKind};

mod text;

/// The reason why a call has no output.
///
/// `Display` writes the full text, for the operator of the program; [`for_clients`](CallError::for_clients)
/// returns the text that others may read. The cause is in [`source`](std::error::Error::source). `Debug` writes the
/// text of `Display`, since a program prints it for an error that `main` returns.
#[non_exhaustive]
pub enum CallError {
    /// The calls are nested too deep.
    Depth {
        /// The skill that was called.
        skill: String,
        /// How many calls surround it.
        depth: u32,
        /// The maximum number of surrounding calls.
        limit: u32,
    },
    /// No skill has this name, or the host has not granted the capabilities that the skill requires.
    NotFound(NotFound),
    /// The input is the typed input of a bundle that is not part of the runner.
    OtherBundle {
        /// The skill that was called.
        skill: String,
    },
    /// The skill comes from a workspace that has not been trusted.
    NotTrusted(Untrusted),
    /// The runner lacks what the skill needs: a function of the host, a program, a model or an MCP server. Or the
    /// skill has no `skill.json`, so it cannot be called as a function.
    Missing(Missing),
    /// The input violates rules of its schema; all violations are listed.
    InvalidInput {
        /// The skill that was called.
        skill: String,
        /// The violated rules, or the position where the input is not valid JSON.
        invalid: Invalid,
    },
    /// The output violates rules of its schema; all violations are listed.
    InvalidOutput {
        /// The skill that was called.
        skill: String,
        /// The violated rules, or the position where the output is not valid JSON.
        invalid: Invalid,
        /// The last answer of the model, if the skill is of mode `llm`. `Display` does not show it, since it
        /// may contain data of the caller.
        answer: Option<String>,
        /// Whether another attempt can have another output: the output is that of a model or of a program.
        is_retryable: bool,
    },
    /// The last attempt reached its time limit.
    Timeout {
        /// The skill that was called.
        skill: String,
        /// The limit of one attempt.
        limit: Duration,
    },
    /// The MCP server gave no answer.
    Mcp {
        /// The skill that was called.
        skill: String,
        /// The cause.
        source: ServerError,
    },
    /// The tool of the MCP server answered with an error.
    Tool {
        /// The skill that was called.
        skill: String,
        /// The text of the answer.
        text: String,
    },
    /// The MCP server's definition of the tool differs from the pinned one. The tool was not called.
    ToolChanged {
        /// The skill that was called.
        skill: String,
        /// The server.
        server: String,
        /// The name of the tool.
        tool: String,
        /// The differences between the skill and the definition, for the operator of the program.
        changes: Vec<String>,
    },
    /// The function of the host failed, or the call panicked.
    Host {
        /// The skill that was called.
        skill: String,
        /// The error of the function, or `it panicked`.
        source: Failure,
    },
    /// The program of the skill did not succeed.
    Program {
        /// The skill that was called.
        skill: String,
        /// The outcome of the run.
        outcome: Box<skills_exec::Outcome>,
    },
    /// The program of the skill was not started: its files could not be unpacked, or its time limit is not
    /// valid.
    NotRun {
        /// The skill that was called.
        skill: String,
        /// The cause.
        source: skills_exec::NotRun,
    },
    /// A template could not be evaluated, or its output exceeded the size limit.
    Template {
        /// The skill that the template belongs to.
        skill: String,
        /// The cause.
        source: RenderError,
    },
    /// The model gave no answer.
    Model {
        /// The skill that was called.
        skill: String,
        /// The cause.
        source: ModelError,
    },
    /// A step of a pipeline failed.
    Step {
        /// The skill that the pipeline belongs to.
        skill: String,
        /// The name of the step.
        step: String,
        /// The index of the item in the list of a `foreach`, from 0.
        item: Option<usize>,
        /// The cause.
        source: Box<CallError>,
    },
    /// The `foreach` of a step is not an array.
    NotAnArray {
        /// The type of the value that was found.
        found: &'static str,
    },
    /// A finished step could not be looked up or saved.
    Journal {
        /// The skill that the pipeline belongs to.
        skill: String,
        /// The cause.
        source: Failure,
    },
    /// The skill was called in another process and failed there; created from the recorded failure.
    Remote(Box<Fault>),
    /// The caller cancelled the call.
    Cancelled {
        /// The skill that was called.
        skill: String,
    },
}

/// The kind of error that a call ended with, for callers that answer with error codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The function does not exist.
    NotFound,
    /// The skill is not trusted.
    NotTrusted,
    /// The input of the call does not match its schema.
    InvalidInput,
    /// A time limit was reached.
    Timeout,
    /// No language model is configured.
    NoModel,
    /// The skill has no host function, no program and no MCP server.
    NoHost,
    /// The caller cancelled the call.
    Cancelled,
    /// Any other error.
    Failed,
}

skills_text::__named!(ErrorKind, "kind of an error of a call", {
    NotFound = "not_found",
    NotTrusted = "not_trusted",
    InvalidInput = "invalid_input",
    Timeout = "timeout",
    NoModel = "no_model",
    NoHost = "no_host",
    Cancelled = "cancelled",
    Failed = "call_failed",
});

impl From<Fault> for CallError {
    fn from(fault: Fault) -> Self {
        Self::Remote(Box::new(fault))
    }
}

impl From<Missing> for CallError {
    fn from(missing: Missing) -> Self {
        Self::Missing(missing)
    }
}

impl CallError {
    /// Returns the error for a call that could not be started in another process.
    pub fn unreachable(skill: &str, why: &Failure) -> Self {
        Fault::new(ErrorKind::Failed, format!("Skill \"{skill}\" failed: {why}")).into()
    }

    /// Creates the error of a call that was cancelled.
    pub fn cancelled(skill: &str) -> Self {
        Self::Cancelled { skill: skill.to_owned() }
    }

    pub(super) fn invalid_input(skill: &str, invalid: Invalid) -> Self {
        Self::InvalidInput { skill: skill.to_owned(), invalid }
    }

    pub(super) fn invalid_output(skill: &str, invalid: Invalid) -> Self {
        Self::InvalidOutput { skill: skill.to_owned(), invalid, answer: None, is_retryable: false }
    }

    pub(super) fn template(skill: &str, source: RenderError) -> Self {
        Self::Template { skill: skill.to_owned(), source }
    }

    /// Returns the kind of the error. A failed step has the kind of its own error, except that an unknown
    /// function or an invalid input of a step is [`ErrorKind::Failed`].
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotFound(_) | Self::OtherBundle { .. } => ErrorKind::NotFound,
            Self::Missing(missing) => match missing.capability {
                MissingCapability::Code(_) | MissingCapability::Mcp => ErrorKind::NoHost,
                MissingCapability::Model => ErrorKind::NoModel,
                MissingCapability::Function => ErrorKind::NotFound,
                MissingCapability::Trust => ErrorKind::NotTrusted,
                _ => ErrorKind::Failed,
            },
            Self::NotTrusted(_) => ErrorKind::NotTrusted,
            Self::NotRun { source: skills_exec::NotRun::NotTrusted(_), .. } => ErrorKind::NotTrusted,
            Self::InvalidInput { .. } => ErrorKind::InvalidInput,
            Self::Timeout { .. } => ErrorKind::Timeout,
            Self::Cancelled { .. } => ErrorKind::Cancelled,
            Self::Remote(fault) => fault.kind,
            Self::Step { source, .. } => match source.kind() {
                ErrorKind::NotFound | ErrorKind::InvalidInput => ErrorKind::Failed,
                kind => kind,
            },
            _ => ErrorKind::Failed,
        }
    }

    /// Returns the violated rules of an invalid input or output; empty for any other error.
    pub fn violations(&self) -> Cow<'_, [Violation]> {
        match self {
            Self::InvalidInput { invalid, .. } | Self::InvalidOutput { invalid, .. } => invalid.violations(),
            Self::Remote(fault) => Cow::Borrowed(&fault.violations),
            _ => Cow::Borrowed(&[]),
        }
    }

    /// Returns the answer of the model that does not match the output schema, even if it was the answer in a
    /// step.
    pub fn answer(&self) -> Option<&str> {
        match self {
            Self::InvalidOutput { answer, .. } => answer.as_deref(),
            Self::Step { source, .. } => source.answer(),
            _ => None,
        }
    }

    /// Returns how long to wait before the next request to the model provider.
    pub(super) fn retry_after(&self) -> Duration {
        match self {
            Self::Model { source, .. } => source.retry_after.unwrap_or_default(),
            Self::Step { source, .. } => source.retry_after(),
            Self::Remote(fault) => fault.retry_after,
            _ => Duration::ZERO,
        }
    }

    /// Returns what went wrong at the model, also if a step or a host function asked it. Returns `None` if the cause
    /// is not a model.
    pub fn model_error_kind(&self) -> Option<ModelErrorKind> {
        let mut below: Option<&(dyn std::error::Error + 'static)> = Some(self);
        while let Some(error) = below {
            if let Some(model) = error.downcast_ref::<ModelError>() {
                return Some(model.kind);
            }
            below = error.source();
        }
        None
    }

    /// Returns `true` if the same call may succeed when it is made again.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Program { .. } | Self::Tool { .. } => true,
            Self::Mcp { source, .. } => source.is_retryable,
            Self::NotRun { source, .. } => {
                !matches!(source, skills_exec::NotRun::Refused(_) | skills_exec::NotRun::NotTrusted(_))
            }
            Self::Model { source, .. } => source.is_retryable,
            Self::Host { source, .. } if source.is::<Panicked>() => false,
            // If a host function returns the error of a call that it made, the result depends on that error.
            Self::Host { source, .. } => source.downcast_ref::<Self>().is_none_or(Self::is_retryable),
            Self::Step { source, .. } => source.is_retryable(),
            Self::InvalidOutput { is_retryable, .. } => *is_retryable,
            Self::Remote(fault) => fault.is_retryable,
            _ => false,
        }
    }
}

/// The cause of a call that ended by a panic.
#[derive(Debug)]
pub(crate) struct Panicked;

impl std::fmt::Display for Panicked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("it panicked")
    }
}

impl std::error::Error for Panicked {}

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NotFound(missing) => Some(missing),
            Self::NotTrusted(untrusted) => Some(untrusted),
            Self::Missing(missing) => Some(missing),
            Self::InvalidInput { invalid, .. } | Self::InvalidOutput { invalid, .. } => Some(invalid),
            Self::Host { source, .. } | Self::Journal { source, .. } => Some(source.as_ref()),
            Self::NotRun { source, .. } => Some(source),
            Self::Template { source, .. } => Some(source),
            Self::Model { source, .. } => Some(source),
            Self::Mcp { source, .. } => Some(source),
            Self::Step { source, .. } => Some(source.as_ref()),
            _ => None,
        }
    }
}

/// The recorded reason why a remote call failed, with all data that a pipeline or a caller needs for its
/// decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Fault {
    /// The kind of the failure.
    pub kind: ErrorKind,
    /// The full text, which clients see. Record [`CallError::for_clients`] if they must not read the messages
    /// of a model provider.
    pub text: String,
    /// Whether the same call may succeed if it is made again.
    pub is_retryable: bool,
    /// How long to wait before the next request to the model provider; zero if the provider did not say.
    pub retry_after: Duration,
    /// The broken rules of an invalid input or output.
    pub violations: Vec<Violation>,
}

impl Fault {
    /// Creates a failure that is not retryable, without further details.
    pub fn new(kind: ErrorKind, text: impl Into<String>) -> Self {
        let (retry_after, violations) = (Duration::ZERO, Vec::new());
        Self { kind, text: text.into(), is_retryable: false, retry_after, violations }
    }

    /// Sets whether the same call may succeed if it is made again.
    pub fn retryable(self, is_retryable: bool) -> Self {
        Self { is_retryable, ..self }
    }
}

impl From<&CallError> for Fault {
    /// Converts an error of this process, with the text for clients.
    fn from(error: &CallError) -> Self {
        Self {
            retry_after: error.retry_after(),
            violations: error.violations().into_owned(),
            ..Self::new(error.kind(), error.for_clients()).retryable(error.is_retryable())
        }
    }
}
