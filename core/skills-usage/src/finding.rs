//! A place in a text that does not fit the commands of a program.

use std::ops::Range;

use skills_core::diagnostic::Diagnostic;
use skills_core::rule::{Rule, commands as rules};
use skills_core::span::Span;

/// One place that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The bytes of the text.
    pub at: Range<usize>,
    /// What is wrong.
    pub problem: Mismatch,
    /// The command with its program: `acme list`.
    pub command: String,
    /// The text as written.
    pub written: String,
    /// The text that was probably meant.
    pub nearest: Option<String>,
}

/// What is wrong with a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// The subcommand does not exist.
    Command,
    /// The flag does not exist.
    Flag,
    /// A flag or an argument does not accept the value.
    Value {
        /// The flag or the argument.
        of: String,
        /// The values that it accepts.
        expected: String,
    },
    /// A flag has no value, but needs one.
    NoValue,
    /// A flag has a value, but takes none.
    NeedlessValue,
    /// A required argument or flag is missing.
    Missing {
        /// Its name.
        name: String,
    },
    /// There are more arguments than the command takes.
    Extra,
    /// A command or a flag is deprecated.
    Deprecated,
    /// The flag has an old name. The new name is in `nearest`.
    Renamed,
}

impl Finding {
    /// Returns the rule that the place breaks.
    pub fn rule(&self) -> &'static Rule {
        match self.problem {
            Mismatch::Command => &rules::COMMAND_UNKNOWN,
            Mismatch::Flag => &rules::COMMAND_FLAG,
            Mismatch::Value { .. } | Mismatch::NoValue | Mismatch::NeedlessValue => &rules::COMMAND_VALUE,
            Mismatch::Missing { .. } | Mismatch::Extra => &rules::COMMAND_ARGUMENT,
            Mismatch::Deprecated | Mismatch::Renamed => &rules::COMMAND_DEPRECATED,
        }
    }

    /// Says what is wrong, in one line.
    pub fn title(&self) -> String {
        let Self { command, written, .. } = self;
        match &self.problem {
            Mismatch::Command => format!("`{command}` has no command `{written}`"),
            Mismatch::Flag => format!("`{command}` has no flag `{written}`"),
            Mismatch::Value { of, .. } => format!("`{of}` of `{command}` does not accept `{written}`"),
            Mismatch::NoValue => format!("`{written}` of `{command}` needs a value"),
            Mismatch::NeedlessValue => format!("`{written}` of `{command}` takes no value"),
            Mismatch::Missing { name } => format!("`{command}` needs {name}"),
            Mismatch::Extra => format!("`{command}` does not take the argument `{written}`"),
            Mismatch::Deprecated | Mismatch::Renamed => format!("`{written}` of `{command}` is deprecated"),
        }
    }

    /// Converts the finding to a diagnostic. `place` is the span of the checked text.
    pub fn diagnostic(&self, place: Span) -> Diagnostic {
        let label = match &self.problem {
            Mismatch::Command => "no such command",
            Mismatch::Flag => "no such flag",
            Mismatch::Value { .. } => "not one of its values",
            Mismatch::NoValue => "no value follows",
            Mismatch::NeedlessValue => "a switch",
            Mismatch::Missing { .. } => "fails without it",
            Mismatch::Extra => "one too many",
            Mismatch::Deprecated | Mismatch::Renamed => "still works, but should not be used",
        };
        let found = self.rule().report_at(place.part(self.at.start, self.at.end), self.title()).label(label);
        match &self.nearest {
            Some(new) if self.problem == Mismatch::Renamed => found.rename(new),
            Some(near) => found.near(near),
            None => found.help(self.help()),
        }
    }

    fn help(&self) -> String {
        let Self { command, written, .. } = self;
        match &self.problem {
            Mismatch::Command | Mismatch::Flag | Mismatch::Extra => {
                format!("`{command} --help` lists the valid names")
            }
            Mismatch::Value { expected, .. } => format!("write {expected}"),
            Mismatch::NoValue => format!("write `{written}` with a value"),
            Mismatch::NeedlessValue => "delete the value".to_owned(),
            Mismatch::Missing { name } => format!("add {name}"),
            Mismatch::Deprecated | Mismatch::Renamed => format!("see `{command} --help` for its replacement"),
        }
    }
}
