//! Checks one parsed template: reports its faults, and computes the type of its result.

use skills_template::{Lint, ParsedTemplate, TemplateError, TemplateNode, TemplateProblem};

use super::infer::Inference;
use super::infer::path::{Place, TemplateScope};
use super::types::Type;
use crate::rule::templates as rules;
use crate::{Change, Diagnostic, Report};

/// Reports the problems of a template, and returns the type of its result.
pub(super) fn check_parsed<'s>(
    parsed: &ParsedTemplate,
    place: &Place<'_>,
    scope: &TemplateScope<'s>,
    report: &mut Report,
) -> Type<'s> {
    report_faults(&parsed.errors, &parsed.lints, place, report);
    if let Some(partial) = &parsed.partial {
        // The type of the whole template is unknown, but the parts that could be parsed are checked.
        let before = report.diagnostics.len();
        infer(partial.root(), place, scope, report);
        // The type of the result of an unknown filter is unknown, and so is that of everything that depends on it.
        if parsed.errors.iter().any(|error| matches!(error.problem, TemplateProblem::UnknownFilter { .. })) {
            let mut at = 0..report.diagnostics.len();
            report.diagnostics.retain(|found| {
                at.next().is_some_and(|at| at < before) || found.rule.code == rules::TEMPLATE_PATH.code
            });
        }
    }
    parsed.tree.as_ref().map_or(Type::Any, |tree| infer(tree.root(), place, scope, report))
}

/// Reports the faults of a template.
pub(super) fn report_faults(
    errors: &[TemplateError],
    lints: &[Lint],
    place: &Place<'_>,
    report: &mut Report,
) {
    report.diagnostics.extend(errors.iter().map(|error| error_diagnostic(error, place)));
    report.diagnostics.extend(lints.iter().map(|lint| lint_diagnostic(lint, place)));
}

/// Reports operations of an expression that can never work, and returns the type of its result.
pub(super) fn infer<'s>(
    node: TemplateNode<'_>,
    place: &Place<'_>,
    scope: &TemplateScope<'s>,
    report: &mut Report,
) -> Type<'s> {
    Inference { scope: scope.clone(), place, report }.infer(node)
}

pub(super) fn error_diagnostic(error: &TemplateError, place: &Place<'_>) -> Diagnostic {
    let span = place(error.span.start as usize, error.span.end as usize);
    let rule = match error.problem {
        TemplateProblem::UnknownFilter { .. } | TemplateProblem::ArgumentCount { .. } => {
            &rules::TEMPLATE_FILTER
        }
        TemplateProblem::UnknownBlock { .. }
        | TemplateProblem::BlockOutsidePrompt
        | TemplateProblem::UnclosedBlock { .. }
        | TemplateProblem::StrayEnd { .. }
        | TemplateProblem::StrayElse => &rules::TEMPLATE_BLOCK,
        _ => &rules::TEMPLATE_SYNTAX,
    };
    let fix = match &error.problem {
        TemplateProblem::UnknownFilter { nearest: Some(word), .. } => Some((span, (*word).to_owned())),
        TemplateProblem::UnknownBlock { nearest: Some(word), .. } => Some((span, format!("{{{{#{word}"))),
        TemplateProblem::Unexpected { found, .. } if found == "`=`" => Some((span, "==".to_owned())),
        TemplateProblem::Unexpected { expected, found, .. }
            if found == "`}`" && expected.contains("`}}`") =>
        {
            Some((span, "}}".to_owned()))
        }
        TemplateProblem::StrayEnd { open: Some(open), .. } => Some((span, format!("/{open}"))),
        _ => None,
    };
    let help = error.help().unwrap_or_else(|| "write an expression such as `{{input.topic}}`".to_owned());
    let fix = fix.map(|(span, text)| Change::replace(span, text).unsafe_fix());
    rule.report_at(span, error.to_string()).label("in this template").help(help).fix(fix)
}

fn lint_diagnostic(lint: &Lint, place: &Place<'_>) -> Diagnostic {
    let span = place(lint.span.start as usize, lint.span.end as usize);
    rules::TEMPLATE_LITERAL
        .report_at(span, "this text is outside the braces and is printed as it is")
        .label(format!("probably meant as `{}`", lint.replacement))
        .help(format!("write it as: {}", lint.corrected))
        // A replacement that would need escapes in a JSON string gets no fix.
        .fix(
            (!lint.replacement.contains(['"', '\\']))
                .then(|| Change::replace(span, lint.replacement.as_str()).unsafe_fix()),
        )
}
