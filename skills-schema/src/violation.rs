//! What the interpreter reports: the rules that a value breaks, or the place where the text is no JSON.

use std::borrow::Cow;
use std::fmt;

use skills_registry::{cut, visible};

use crate::document::keyword;
use crate::json::{self, ErrorKind};

/// How many characters are shown of what stands where a value should.
const NEAR: usize = 60;

/// One rule that a value breaks (SPEC 6.1, 6.4).
///
/// Shown as `POINTER: RULE: expected E, found A`; the root's empty pointer is shown as `(root)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// JSON pointer (RFC 6901) to the value.
    pub pointer: String,
    /// The schema's keyword; `limit` when a limit of the interpreter was reached, `json` when the text is no JSON.
    pub rule: &'static str,
    /// What the rule asks for.
    pub expected: String,
    /// What the value is.
    pub found: String,
    /// The property of the value that is missing, where the rule is about one (`required`, `dependentRequired`).
    pub property: Option<String>,
}

impl Violation {
    /// Makes a violation that is about no missing property.
    pub fn new(
        pointer: impl Into<String>,
        rule: &'static str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let (pointer, expected, found) = (pointer.into(), expected.into(), found.into());
        Self { pointer, rule, expected, found, property: None }
    }

    /// Finds the name of a rule, for a violation that was written down elsewhere; `limit` for what is none.
    pub fn rule_of(word: &str) -> &'static str {
        if word == "json" { "json" } else { keyword::named(word).unwrap_or("limit") }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = if self.pointer.is_empty() { "(root)" } else { &self.pointer };
        write!(f, "{pointer}: {}: expected {}, found {}", self.rule, self.expected, self.found)
    }
}

/// Why a text is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Invalid {
    /// The text is no JSON.
    Malformed {
        /// What is wrong, with byte offsets.
        error: json::Error,
        /// Line of the fault, from 1.
        line: usize,
        /// Column of the fault in characters, from 1.
        column: usize,
        /// What stands at the fault, where a value should: the rest of the line, cut and fit for a terminal.
        near: String,
    },
    /// The value breaks these rules, in the order they were met; never empty.
    Violations(Vec<Violation>),
}

impl Invalid {
    /// Says where a text is no JSON.
    #[must_use]
    pub fn malformed(text: &str, error: json::Error) -> Self {
        let (line, column) = json::position(text, error.start);
        let near = match error.kind {
            ErrorKind::ExpectedValue | ErrorKind::TrailingData => text.get(error.start..).unwrap_or_default(),
            _ => "",
        };
        let near = visible(&cut(near.lines().next().unwrap_or_default().trim_end(), NEAR));
        Self::Malformed { error, line, column, near }
    }

    /// Returns the broken rules, never none: a text that is no JSON breaks the rule `json`, with line and column of the
    /// fault.
    #[must_use]
    pub fn violations(&self) -> Cow<'_, [Violation]> {
        match self {
            Self::Malformed { error, line, column, near } => {
                let found = match error.kind {
                    kind if near.is_empty() => format!("{line}:{column}: {kind}"),
                    ErrorKind::ExpectedValue => format!("{line}:{column}: `{near}`"),
                    kind => format!("{line}:{column}: {kind}: `{near}`"),
                };
                Cow::Owned(vec![Violation::new("", "json", "a JSON value", found)])
            }
            Self::Violations(violations) => Cow::Borrowed(violations),
        }
    }
}

/// One violation a line.
impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, violation) in self.violations().iter().enumerate() {
            f.write_str(if i > 0 { "\n" } else { "" })?;
            violation.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Invalid {}
