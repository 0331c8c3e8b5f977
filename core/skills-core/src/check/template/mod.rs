//! Checks the templates of prompts and pipelines.
//!
//! The static type of an expression follows from the schemas of the values it reads: the input of the skill,
//! or the output of the skill that a step uses. The type must have a value in common with the schema of its
//! destination. A value that may be absent, or whose schema does not restrict it, is accepted here and
//! checked at run time.

mod foreign;
mod infer;
pub(crate) mod paths;
mod steps;
mod types;

use skills_template::{Lint, ParsedTemplate, TemplateError, TemplateNode, TemplateProblem};

use super::calls::FolderNames;
use super::draft::Draft;
use crate::rule::templates as rules;
use crate::{Change, Diagnostic, Mode, Report, SourceMap};
use infer::Inference;
use infer::path::{Place, Scope};
pub(crate) use steps::named;
use types::type_set::Type;

/// Checks the prompt and the pipeline of one skill.
pub(crate) fn check(draft: &Draft, names: FolderNames<'_, '_>, sources: &SourceMap, report: &mut Report) {
    if let Some(prompt) = &draft.prompt {
        let scope = Scope { input: Type::of(draft.input()), steps: None, item: None };
        let place = |start, end| prompt.span.part(start, end);
        let before = report.diagnostics.len();
        check_parsed(&prompt.value, &place, &scope, report);
        let text = sources.text(prompt.span);
        close(&prompt.value, text.trim_end().len(), &place, report, before);
        let members = draft.input().map(|input| input.document.root().members_of("properties"));
        let properties: Vec<&str> = members.iter().flatten().map(|member| member.key).collect();
        foreign::check(text, prompt.span, &properties, report, before);
    }
    if draft.mode() == Some(Mode::Composite) {
        steps::check(draft, names, sources, report);
    }
}

/// Adds a fix that closes an open block at the end of the text, if that block is the only fault of a prompt.
fn close(parsed: &ParsedTemplate, end: usize, place: &Place<'_>, report: &mut Report, first: usize) {
    let ([TemplateError { problem: TemplateProblem::UnclosedBlock { name }, .. }], Some(found)) =
        (parsed.errors.as_slice(), report.diagnostics.get_mut(first))
    else {
        return;
    };
    found.fix = Some(Change::replace(place(end, end), format!("{{{{/{name}}}}}")).unsafe_fix());
}

/// Reports the problems of a template, and returns the type of its result.
fn check_parsed<'s>(
    parsed: &ParsedTemplate,
    place: &Place<'_>,
    scope: &Scope<'s>,
    report: &mut Report,
) -> Type<'s> {
    faults(&parsed.errors, &parsed.lints, place, report);
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

fn faults(errors: &[TemplateError], lints: &[Lint], place: &Place<'_>, report: &mut Report) {
    report.diagnostics.extend(errors.iter().map(|error| error_diagnostic(error, place)));
    report.diagnostics.extend(lints.iter().map(|lint| lint_diagnostic(lint, place)));
}

/// Reports operations of an expression that can never work, and returns the type of its result.
fn infer<'s>(node: TemplateNode<'_>, place: &Place<'_>, scope: &Scope<'s>, report: &mut Report) -> Type<'s> {
    Inference { scope: scope.clone(), place, report }.infer(node)
}

fn error_diagnostic(error: &TemplateError, place: &Place<'_>) -> Diagnostic {
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
