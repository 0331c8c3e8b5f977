//! Converts findings of the template parser to diagnostics.

use skills_template::{Error, Lint, Problem};

use crate::diagnostic::Diagnostic;
use crate::edit::Change;
use crate::rule::templates as rules;
use crate::span::Span;

/// Converts an error of the parser to a diagnostic.
pub(super) fn error(error: &Error, place: &dyn Fn(usize, usize) -> Span) -> Diagnostic {
    let span = place(error.span.start as usize, error.span.end as usize);
    let rule = match error.problem {
        Problem::UnknownFilter { .. } | Problem::ArgumentCount { .. } => &rules::TEMPLATE_FILTER,
        Problem::UnknownBlock { .. }
        | Problem::BlockOutsidePrompt
        | Problem::UnclosedBlock { .. }
        | Problem::StrayEnd { .. }
        | Problem::StrayElse => &rules::TEMPLATE_BLOCK,
        _ => &rules::TEMPLATE_SYNTAX,
    };
    let fix = match &error.problem {
        Problem::UnknownFilter { nearest: Some(word), .. } => Some((span, (*word).to_owned())),
        Problem::UnknownBlock { nearest: Some(word), .. } => Some((span, format!("{{{{#{word}"))),
        Problem::Unexpected { found, .. } if found == "`=`" => Some((span, "==".to_owned())),
        Problem::Unexpected { expected, found, .. } if found == "`}`" && expected.contains("`}}`") => {
            Some((span, "}}".to_owned()))
        }
        Problem::StrayEnd { open: Some(open), .. } => Some((span, format!("/{open}"))),
        _ => None,
    };
    let help = error.help().unwrap_or_else(|| "write an expression such as `{{input.topic}}`".to_owned());
    let fix = fix.map(|(span, text)| Change::replace(span, text).looked_at());
    rule.at(span, error.to_string()).label("in this template").help(help).fix(fix)
}

/// Converts a lint of the parser to a diagnostic.
pub(super) fn lint(lint: &Lint, place: &dyn Fn(usize, usize) -> Span) -> Diagnostic {
    let span = place(lint.span.start as usize, lint.span.end as usize);
    rules::TEMPLATE_LITERAL
        .at(span, "this text is outside the braces and is printed as it is")
        .label(format!("probably meant as `{}`", lint.replacement))
        .help(format!("write it as: {}", lint.corrected))
        // A replacement that would need escapes in a JSON string gets no fix.
        .fix(
            (!lint.replacement.contains(['"', '\\']))
                .then(|| Change::replace(span, lint.replacement.as_str()).looked_at()),
        )
}
