//! Errors and lints in templates: typed, with their exact position, ready for the rule table.

use crate::Filter;
use std::fmt;
use std::ops::Range;

/// An error in a template, prompt or condition. Its `Display` is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The exact bytes of the error. Empty at the end of a text that ends too early.
    pub span: TemplateSpan,
    /// The kind of the error.
    pub problem: TemplateProblem,
    /// The whole `{{…}}` around the position, and how to escape it if it is meant as text.
    pub escaped: Option<(TemplateSpan, String)>,
}

/// The kind of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TemplateProblem {
    /// `{{` without `}}`. The span is the `{{`.
    Unclosed,
    /// A token that is not allowed here.
    Unexpected {
        /// The tokens that are allowed.
        expected: &'static str,
        /// The token that was found.
        found: String,
        /// A suggestion, if one is known.
        advice: Option<&'static str>,
    },
    /// A string without its closing quote. The span is the opening one.
    UnclosedString,
    /// An invalid escape in a string, or half of a surrogate pair.
    BadEscape {
        /// The escape as written.
        found: String,
    },
    /// A number that JSON does not allow, or that is outside the range of a double.
    BadNumber {
        /// The number as written.
        found: String,
    },
    /// A filter that does not exist.
    UnknownFilter {
        /// Its name as written.
        name: String,
        /// The most similar filter.
        nearest: Option<&'static str>,
    },
    /// A filter with too many or too few arguments. The span is the filter with its arguments.
    ArgumentCount {
        /// The filter.
        filter: Filter,
        /// The number of arguments.
        found: usize,
    },
    /// `{{#…}}` with an unknown name.
    UnknownBlock {
        /// Its name as written.
        name: String,
        /// The most similar block.
        nearest: Option<&'static str>,
    },
    /// A block outside a prompt.
    BlockOutsidePrompt,
    /// A block without its end. The span is the opening tag.
    UnclosedBlock {
        /// `if`, `each` or `raw`.
        name: &'static str,
    },
    /// `{{/…}}` that does not end the innermost open block.
    StrayEnd {
        /// The name as written.
        name: String,
        /// The innermost open block.
        open: Option<&'static str>,
    },
    /// `{{else}}` without an `{{#if}}`, or a second one.
    StrayElse,
    /// More than [`MAX_DEPTH`](crate::MAX_DEPTH) levels of parentheses, filters, blocks, arrays and objects.
    TooDeep,
    /// More than [`MAX_TEXT`](crate::MAX_TEXT) bytes. The span is the start.
    TooLong,
    /// There were [`MAX_ERRORS`](crate::MAX_ERRORS) errors, so the rest of the text was not checked. This
    /// error is the last one.
    TooMany,
}

impl TemplateProblem {
    /// Returns the permanent kebab-case name of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unclosed => "template-unclosed",
            Self::Unexpected { .. } => "template-syntax",
            Self::UnclosedString => "template-unclosed-string",
            Self::BadEscape { .. } => "template-escape",
            Self::BadNumber { .. } => "template-number",
            Self::UnknownFilter { .. } => "template-unknown-filter",
            Self::ArgumentCount { .. } => "template-argument-count",
            Self::UnknownBlock { .. } => "template-unknown-block",
            Self::BlockOutsidePrompt => "template-block-outside-prompt",
            Self::UnclosedBlock { .. } => "template-unclosed-block",
            Self::StrayEnd { .. } => "template-stray-end",
            Self::StrayElse => "template-stray-else",
            Self::TooDeep => "template-too-deep",
            Self::TooLong => "template-too-long",
            Self::TooMany => "template-too-many-errors",
        }
    }
}

impl TemplateError {
    /// Returns a suggestion for a fix, if there is one.
    pub fn help(&self) -> Option<String> {
        let help = match &self.problem {
            TemplateProblem::Unexpected { advice: Some(advice), .. } => (*advice).to_owned(),
            TemplateProblem::BadEscape { .. } => {
                r#"strings have the escapes \n \t \\ \' \" \uXXXX"#.to_owned()
            }
            TemplateProblem::UnknownFilter { nearest: Some(nearest), .. } => {
                format!("did you mean `{nearest}`?")
            }
            TemplateProblem::UnknownFilter { nearest: None, .. } => {
                let names: Vec<&str> = Filter::ALL.into_iter().map(Filter::as_str).collect();
                format!("the filters are {}", names.join(", "))
            }
            TemplateProblem::ArgumentCount { filter, .. } => format!("write `{}`", filter.usage()),
            TemplateProblem::UnknownBlock { nearest: Some(nearest), .. } => {
                format!("did you mean `#{nearest}`?")
            }
            TemplateProblem::UnknownBlock { nearest: None, .. } => {
                "the blocks are #if, #each and #raw".to_owned()
            }
            TemplateProblem::UnclosedBlock { name } => format!("end it with `{{{{/{name}}}}}`"),
            TemplateProblem::StrayEnd { open: Some(open), .. } => {
                format!("end that one first, with `{{{{/{open}}}}}`")
            }
            TemplateProblem::Unclosed if self.escaped.is_none() => "close it with `}}`".to_owned(),
            TemplateProblem::Unclosed => "close it with `}}`, or write `{{{{` to print `{{`".to_owned(),
            _ => match &self.escaped {
                Some((_, escaped)) => format!("to print it as it is, write `{escaped}`"),
                None => return None,
            },
        };
        Some(help)
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.problem {
            TemplateProblem::Unclosed => f.write_str("`{{` is never closed"),
            TemplateProblem::Unexpected { expected, found, .. } => {
                write!(f, "expected {expected}, found {found}")
            }
            TemplateProblem::UnclosedString => f.write_str("this string is never closed"),
            TemplateProblem::BadEscape { found } => write!(f, "`{found}` is not a valid escape"),
            TemplateProblem::BadNumber { found } => write!(f, "`{found}` is not a valid number"),
            TemplateProblem::UnknownFilter { name, .. } => write!(f, "unknown filter `{name}`"),
            TemplateProblem::ArgumentCount { filter, found } => {
                let (least, most) = (filter.required(), filter.takes().len());
                let plural = if most == 1 { "argument" } else { "arguments" };
                match (least, most) {
                    (_, 0) => write!(f, "`{}` takes no arguments", filter.as_str())?,
                    _ if least == most => write!(f, "`{}` takes {most} {plural}", filter.as_str())?,
                    _ => write!(f, "`{}` takes {least} to {most} {plural}", filter.as_str())?,
                }
                write!(f, ", found {found}")
            }
            TemplateProblem::UnknownBlock { name, .. } => write!(f, "unknown block `#{name}`"),
            TemplateProblem::BlockOutsidePrompt => f.write_str("blocks are only allowed in prompts"),
            TemplateProblem::UnclosedBlock { name } => write!(f, "`#{name}` is never closed"),
            TemplateProblem::StrayEnd { name, open: Some(open) } => write!(f, "`/{name}` ends `#{open}`"),
            TemplateProblem::StrayEnd { name, open: None } => write!(f, "`/{name}` ends nothing"),
            TemplateProblem::StrayElse => f.write_str("`else` without `#if`"),
            TemplateProblem::TooDeep => write!(f, "nested deeper than {} levels", crate::MAX_DEPTH),
            TemplateProblem::TooLong => write!(f, "longer than {} bytes", crate::MAX_TEXT),
            TemplateProblem::TooMany => f.write_str("too many errors: the rest was not checked"),
        }
    }
}

impl std::error::Error for TemplateError {}

/// Valid code that is probably a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lint {
    /// The position.
    pub span: TemplateSpan,
    /// The kind of the mistake.
    pub kind: LintKind,
    /// The replacement for the span.
    pub replacement: String,
    /// The line of the span after the replacement. A long line is cut with `…` on both sides.
    pub corrected: String,
}

/// The kind of a likely mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LintKind {
    /// `{{a}} || {{b}}`: the fallback is outside the braces and is printed.
    FallbackOutside,
    /// `}}}}` without `{{{{` before it: it prints `}}`, two braces fewer than written.
    LoneEscape,
}

/// A byte range in a template's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TemplateSpan {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte; equal to `start` for an empty range.
    pub end: u32,
}

impl TemplateSpan {
    /// Returns the span as a range of bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: narrow(start), end: narrow(end) }
    }

    pub(crate) fn shift(self, by: u32) -> Self {
        Self { start: self.start.saturating_add(by), end: self.end.saturating_add(by) }
    }
}

/// Converts an offset. Texts longer than `MAX_TEXT` are refused earlier, so it never saturates in practice.
pub(crate) fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
