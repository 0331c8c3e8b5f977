//! The texts of errors, to the letter of SPEC 6.2, 6.4 and 8.3.

use std::fmt;

use super::CallError;
use crate::at_hand::Lack;
use crate::exec;

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth { skill, depth, limit } => {
                write!(f, "Skill \"{skill}\" exceeded max call depth ({depth}/{limit})")
            }
            Self::NotFound(missing) => f.write_str(&missing.call_text()),
            Self::NotAFunction { skill } => Lack::Function.tell(skill, f),
            Self::InvalidInput { skill, invalid } => {
                write!(f, "Skill \"{skill}\" input validation failed\n{invalid}")
            }
            Self::InvalidOutput { skill, invalid } => {
                write!(f, "Skill \"{skill}\" output validation failed\n{invalid}")
            }
            Self::Timeout { skill, limit } => {
                write!(f, "Skill \"{skill}\" timed out after {}ms", limit.as_millis())
            }
            Self::NoHost { skill, mode } => Lack::Code(*mode).tell(skill, f),
            Self::NoModel { skill } => Lack::Model.tell(skill, f),
            Self::Host { skill, source } => write!(f, "Skill \"{skill}\" failed: {source}"),
            Self::Program { skill, outcome } => {
                write!(f, "Skill \"{skill}\" failed: ")?;
                write_outcome(f, outcome)
            }
            Self::NotRun { skill, source } => write!(f, "Skill \"{skill}\" failed: {source}"),
            Self::Template { skill, source } => {
                write!(f, "Skill \"{skill}\" has a template that cannot be evaluated: {source}")
            }
            Self::Model { skill, source } => {
                write!(f, "Skill \"{skill}\" got no answer from the model: {source}")
            }
            Self::Step { skill, step, item, source } => {
                write!(f, "Skill \"{skill}\" failed at step \"{step}\"")?;
                if let Some(item) = item {
                    write!(f, " (item {item})")?;
                }
                write!(f, ": {source}")
            }
            Self::NotAnArray { found } => write!(f, "foreach expects an array, found {found}"),
            Self::Journal { skill, source } => {
                write!(f, "Skill \"{skill}\" cannot use its journal: {source}")
            }
            Self::Elsewhere { text, .. } => f.write_str(text),
            Self::Cancelled { skill } => write!(f, "Skill \"{skill}\" was cancelled"),
        }
    }
}

/// Says how a program ended, and the end of what it said on stderr.
fn write_outcome(f: &mut fmt::Formatter<'_>, outcome: &exec::Outcome) -> fmt::Result {
    const SHOWN: usize = 500;
    write!(f, "its program exited with code {}", outcome.exit_code)?;
    if !outcome.error.is_empty() {
        write!(f, " ({})", outcome.error)?;
    }
    let said = outcome.stderr.trim();
    let start = said.char_indices().rev().nth(SHOWN - 1).map_or(0, |(at, _)| at);
    match said.get(start..) {
        Some(end) if !end.is_empty() => write!(f, ": {}{end}", if start > 0 { "…" } else { "" }),
        _ => Ok(()),
    }
}
