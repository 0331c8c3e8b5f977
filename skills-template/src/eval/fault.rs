//! What can go wrong while a tree is evaluated, and the limits that keep it bounded.

use crate::{Filter, Node, Span, Type, print};
use std::fmt;

/// How much one evaluation may make and do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of text, those of intermediate results included. 16 MiB by default.
    pub bytes: usize,
    /// Nodes evaluated and elements visited. 16,777,216 by default.
    pub steps: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 1 << 24, steps: 1 << 24 }
    }
}

/// Why a tree could not be evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderError {
    /// What went wrong.
    pub fault: EvalFault,
    /// The expression it went wrong in, as it would be written; cut after 200 characters.
    pub expression: String,
    /// Where that stands in the text it was parsed from; `None` in a static tree.
    pub span: Option<Span>,
}

impl RenderError {
    pub(super) fn at(node: Node<'_>, fault: EvalFault) -> Self {
        let expression = skills_registry::cut(&print::print_expression(node), 200);
        Self { fault, expression, span: node.span() }
    }
}

/// What can go wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvalFault {
    /// More text than [`Limits::bytes`].
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// More work than [`Limits::steps`].
    TooManySteps {
        /// The limit.
        limit: usize,
    },
    /// A value nested deeper than 256 levels.
    TooDeep,
    /// A filter was given a type that it does not work on.
    Input {
        /// Which filter.
        filter: Filter,
        /// The type it was given.
        found: Type,
    },
    /// An argument of a filter does not fit.
    Argument {
        /// Which filter.
        filter: Filter,
        /// What would fit.
        expected: &'static str,
        /// The type it was given.
        found: Type,
    },
    /// `{{#each}}` over something else.
    NotAnArray {
        /// The type it was given.
        found: Type,
    },
    /// A number that the wanted JSON value cannot hold.
    Number {
        /// The number.
        text: String,
    },
}

impl fmt::Display for EvalFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { limit } => write!(f, "more than {limit} bytes of text"),
            Self::TooManySteps { limit } => write!(f, "more than {limit} steps"),
            Self::TooDeep => write!(f, "a value nested deeper than {DEEPEST} levels"),
            Self::Input { filter, found } => {
                let accepts =
                    filter.accepts().iter().filter(|kind| **kind != Type::Null).map(|kind| kind.name());
                let accepts: Vec<&str> = accepts.collect();
                write!(f, "`{}` expects {}, found {}", filter.name(), accepts.join(" or "), found.name())
            }
            Self::Argument { filter, expected, found } => {
                write!(f, "`{}` expects {expected} as argument, found {}", filter.name(), found.name())
            }
            Self::NotAnArray { found } => write!(f, "`#each` expects an array, found {}", found.name()),
            Self::Number { text } => write!(f, "the number {text} is out of range"),
        }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.expression, self.fault)
    }
}

impl std::error::Error for EvalFault {}
impl std::error::Error for RenderError {}

/// Levels of a value that are looked at, so that no value can use up the stack.
pub(crate) const DEEPEST: usize = 256;

/// Counts what is made and done against the limits.
pub(crate) struct Meter {
    limits: Limits,
    bytes: usize,
    steps: usize,
}

impl Meter {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, bytes: 0, steps: 0 }
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Result<(), EvalFault> {
        self.bytes = self.bytes.saturating_add(count);
        if self.bytes > self.limits.bytes {
            return Err(EvalFault::TooLong { limit: self.limits.bytes });
        }
        Ok(())
    }

    pub(crate) fn steps(&mut self, count: usize) -> Result<(), EvalFault> {
        self.steps = self.steps.saturating_add(count);
        if self.steps > self.limits.steps {
            return Err(EvalFault::TooManySteps { limit: self.limits.steps });
        }
        Ok(())
    }

    /// Adds to a text what has been paid for.
    pub(super) fn push(&mut self, out: &mut String, text: &str) -> Result<(), EvalFault> {
        self.bytes(text.len())?;
        out.push_str(text);
        Ok(())
    }
}
