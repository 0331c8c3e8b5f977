//! The texts of call errors.

use std::error::Error;
use std::fmt;

use skills_text::cut_start;

use super::CallError;
use crate::host::Failure;
use crate::model::ModelError;

/// Replaces a text that only the operator may read.
const LOGGED: &str = "the log says why";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    Operator,
    /// Clients, models, and pipelines that use a failure as data.
    Anyone,
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Reader::Operator)
    }
}

impl fmt::Debug for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl CallError {
    /// Returns the text for clients and models: the text of `Display` without the message of a model
    /// provider, which may quote keys and addresses. The two texts are equal if the cause is not a model.
    ///
    /// ```
    /// # use skills_call::{CallError, model::ModelError};
    /// let source = ModelError::new("invalid key sk-123");
    /// let error = CallError::Model { skill: "ask".to_owned(), source };
    /// assert_eq!(error.for_clients(), "Skill \"ask\" got no answer from the model; the log says why");
    /// ```
    pub fn for_clients(&self) -> String {
        struct ForClients<'a>(&'a CallError);
        impl fmt::Display for ForClients<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.write(f, Reader::Anyone)
            }
        }
        ForClients(self).to_string()
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, reader: Reader) -> fmt::Result {
        let is_open = reader == Reader::Operator;
        match self {
            Self::Depth { skill, depth, limit } => {
                write!(f, "Skill \"{skill}\" exceeded max call depth ({depth}/{limit})")
            }
            Self::NotFound(missing) => f.write_str(&missing.call_text()),
            Self::OtherBundle { skill } => write!(
                f,
                "Skill \"{skill}\" belongs to a bundle that is not part of this runner; merge the runner of that \
                 bundle into it (`Runner::merge`)"
            ),
            Self::NotTrusted(untrusted) => fmt::Display::fmt(untrusted, f),
            Self::Missing(missing) => fmt::Display::fmt(missing, f),
            Self::InvalidInput { skill, invalid } => {
                write!(f, "Skill \"{skill}\" input validation failed\n{invalid}")
            }
            Self::InvalidOutput { skill, invalid, .. } => {
                write!(f, "Skill \"{skill}\" output validation failed\n{invalid}")
            }
            Self::Timeout { skill, limit } => {
                write!(f, "Skill \"{skill}\" timed out after {}ms", limit.as_millis())
            }
            Self::Mcp { skill, .. } if !is_open => {
                write!(f, "Skill \"{skill}\" got no answer from its MCP server; {LOGGED}")
            }
            Self::Mcp { skill, source } => {
                write!(f, "Skill \"{skill}\" got no answer from its MCP server: {source}")
            }
            Self::Tool { skill, text } => write!(f, "Skill \"{skill}\" failed: {text}"),
            Self::ToolChanged { skill, .. } if !is_open => {
                write!(f, "Skill \"{skill}\" was not called: its tool changed since it was pinned; {LOGGED}")
            }
            Self::ToolChanged { skill, server, tool, changes } => {
                write!(
                    f,
                    "Skill \"{skill}\" was not called: {server} changed its tool `{tool}` since it was pinned; \
                     `skills pin --update` shows and accepts the change"
                )?;
                changes.iter().try_for_each(|change| write!(f, "\n{change}"))
            }
            Self::Host { skill, source } if is_open => write!(f, "Skill \"{skill}\" failed: {source}"),
            Self::Host { skill, source } => {
                write!(f, "Skill \"{skill}\" failed: ")?;
                write_failure(f, source)
            }
            Self::Program { skill, outcome } => {
                write!(f, "Skill \"{skill}\" failed: ")?;
                write_outcome(f, outcome)
            }
            Self::NotRun { skill, source } => write!(f, "Skill \"{skill}\" failed: {source}"),
            Self::Template { skill, source } => {
                write!(f, "Skill \"{skill}\" has a template that cannot be evaluated: {source}")
            }
            Self::Model { skill, .. } if !is_open => {
                write!(f, "Skill \"{skill}\" got no answer from the model; {LOGGED}")
            }
            Self::Model { skill, source } => {
                write!(f, "Skill \"{skill}\" got no answer from the model: {source}")
            }
            Self::Step { skill, step, item, source } => {
                write!(f, "Skill \"{skill}\" failed at step \"{step}\"")?;
                if let Some(item) = item {
                    write!(f, " (item {item})")?;
                }
                f.write_str(": ")?;
                source.write(f, reader)
            }
            Self::NotAnArray { found } => write!(f, "foreach expects an array, found {found}"),
            Self::Journal { skill, source } => {
                write!(f, "Skill \"{skill}\" cannot use its journal: {source}")
            }
            Self::Remote(fault) => f.write_str(&fault.text),
            Self::Cancelled { skill } => write!(f, "Skill \"{skill}\" was cancelled"),
        }
    }
}

/// Writes the error of a host function for any reader. The message of a model provider is replaced.
fn write_failure(f: &mut fmt::Formatter<'_>, failure: &Failure) -> fmt::Result {
    if let Some(error) = failure.downcast_ref::<CallError>() {
        return error.write(f, Reader::Anyone);
    }
    let mut below: Option<&(dyn Error + 'static)> = Some(failure.as_ref());
    while let Some(error) = below {
        if error.is::<ModelError>() {
            return write!(f, "the model gave no answer; {LOGGED}");
        }
        below = error.source();
    }
    write!(f, "{failure}")
}

/// Writes how a program ended, and the last part of its stderr.
fn write_outcome(f: &mut fmt::Formatter<'_>, outcome: &skills_exec::Outcome) -> fmt::Result {
    const SHOWN: usize = 500;
    write!(f, "its program exited with code {}", outcome.exit_code)?;
    if !outcome.error.is_empty() {
        write!(f, " ({})", outcome.error)?;
    }
    match outcome.stderr.trim() {
        "" => Ok(()),
        stderr => write!(f, ": {}", cut_start(stderr, SHOWN)),
    }
}
