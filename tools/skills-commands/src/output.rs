//! `--format` and `--json`: the output of the commands that print a result.

use std::fmt::{Debug, Display};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use skills_schema::json::Node;
use skills_schema::json::make::{null, number, object, string};

use crate::{failure, terminal};

/// The formats of one command. One of them is JSON.
pub trait Format: ValueEnum + Debug + PartialEq + Send + Sync + 'static {
    /// The word of the default format. With the derived `default_value_t`, all commands would share one default.
    const DEFAULT: &str;
    /// The format that `--json` selects.
    const JSON: Self;
}

/// The formats of a command without a special one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Plain {
    /// Text for people
    Text,
    /// JSON for programs
    Json,
}

impl Format for Plain {
    const DEFAULT: &str = "text";
    const JSON: Self = Self::Json;
}

/// The output of a command.
#[derive(Debug, Args)]
pub struct OutputArgs<F: Format = Plain> {
    /// The output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = F::DEFAULT)]
    format: F,
    /// Print JSON: the short form of `--format json`
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl<F: Format> OutputArgs<F> {
    /// Returns the format.
    pub fn format(&self) -> F {
        if self.json { F::JSON } else { self.format.clone() }
    }

    /// Returns `true` if the output is JSON.
    pub fn is_json(&self) -> bool {
        self.format() == F::JSON
    }

    /// Prints an error on standard error and, as JSON output, also as an object with the key `error`.
    pub fn fail(&self, problem: impl Display) -> ExitCode {
        let text = problem.to_string();
        if self.is_json() {
            terminal::json(&versioned([("error", string(text.as_str()))]));
        }
        failure::error(text)
    }
}

/// The version of the shapes of all JSON outputs. It changes when a key is removed or gets another meaning.
pub const FORMAT_VERSION: u32 = 1;

/// Returns a text as JSON, or `null`.
pub(crate) fn text_or_null(text: Option<&str>) -> Node {
    text.map_or_else(null, string)
}

/// Writes an object as the JSON output of a command: with the version of its shape as first key.
pub fn versioned<'k>(members: impl IntoIterator<Item = (&'k str, Node)>) -> String {
    let version = ("format_version", number(FORMAT_VERSION));
    format!("{}\n", object(std::iter::once(version).chain(members)).indented(0))
}
