//! Evaluation errors, and the limits of an evaluation.

use crate::{Filter, TemplateNode, TemplateSpan, Type};
use std::fmt;

use super::print_expression;

/// The limits of one evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderLimits {
    /// Bytes of text, including intermediate results. 16 MiB by default.
    pub bytes: usize,
    /// Nodes evaluated and elements visited. 16,777,216 by default.
    pub steps: usize,
}

impl Default for RenderLimits {
    fn default() -> Self {
        Self { bytes: 1 << 24, steps: 1 << 24 }
    }
}

/// The error of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderError {
    /// The kind of the error.
    pub fault: EvalFault,
    /// The expression that failed, cut after 200 characters.
    pub expression: String,
    /// The span of the expression in the parsed text. `None` in a static tree.
    pub span: Option<TemplateSpan>,
}

impl RenderError {
    // Boxed, so that the common result is small.
    #[cold]
    pub(crate) fn at_node(node: TemplateNode<'_>, fault: EvalFault) -> Box<Self> {
        let expression = skills_text::cut(&print_expression(node), 200);
        Box::new(Self { fault, expression, span: node.span() })
    }
}

/// The kind of an evaluation error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvalFault {
    /// More text than [`RenderLimits::bytes`].
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// More work than [`RenderLimits::steps`].
    TooManySteps {
        /// The limit.
        limit: usize,
    },
    /// A value nested deeper than 256 levels.
    TooDeep,
    /// A filter was applied to a type that it does not support.
    Input {
        /// The filter.
        filter: Filter,
        /// The type of the value.
        found: Type,
    },
    /// An argument of a filter has the wrong type.
    Argument {
        /// The filter.
        filter: Filter,
        /// The expected type.
        expected: &'static str,
        /// The type of the argument.
        found: Type,
    },
    /// `{{#each}}` over a value that is not an array.
    NotAnArray {
        /// The type of the value.
        found: Type,
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
                    filter.accepts().iter().filter(|kind| **kind != Type::Null).map(|kind| kind.article());
                let accepts: Vec<&str> = accepts.collect();
                write!(f, "`{}` expects {}, found {}", filter.as_str(), accepts.join(" or "), found.article())
            }
            Self::Argument { filter, expected, found } => {
                write!(f, "`{}` expects {expected} as argument, found {}", filter.as_str(), found.article())
            }
            Self::NotAnArray { found } => write!(f, "`#each` expects an array, found {}", found.article()),
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

/// The maximum nesting depth of values, so that no value can overflow the stack.
pub(crate) const DEEPEST: usize = 256;

/// Counts text and steps against the limits.
pub(crate) struct Meter {
    limits: RenderLimits,
    bytes: usize,
    steps: usize,
}

impl Meter {
    pub(crate) fn new(limits: RenderLimits) -> Self {
        Self { limits, bytes: 0, steps: 0 }
    }

    #[inline]
    pub(crate) fn bytes(&mut self, count: usize) -> Result<(), EvalFault> {
        self.bytes = self.bytes.saturating_add(count);
        if self.bytes > self.limits.bytes {
            return Err(EvalFault::TooLong { limit: self.limits.bytes });
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn steps(&mut self, count: usize) -> Result<(), EvalFault> {
        self.steps = self.steps.saturating_add(count);
        if self.steps > self.limits.steps {
            return Err(EvalFault::TooManySteps { limit: self.limits.steps });
        }
        Ok(())
    }

    /// Appends text that is already counted.
    #[inline]
    pub(crate) fn push(&mut self, out: &mut String, text: &str) -> Result<(), EvalFault> {
        self.bytes(text.len())?;
        out.push_str(text);
        Ok(())
    }
}
