//! Checks the templates of prompts and pipelines.
//!
//! The static type of an expression follows from the schemas of the values it reads: the input of the skill,
//! or the output of the skill that a step uses. The type must have a value in common with the schema of its
//! destination. A value that may be absent, or whose schema does not restrict it, is accepted here and
//! checked at run time.

mod foreign;
mod infer;
mod parsed;
pub(crate) mod paths;
mod steps;
mod types;

use skills_template::{ParsedTemplate, TemplateError, TemplateProblem};

use super::calls::FolderNames;
use super::draft::SkillDraft;
use crate::{Change, Mode, Report, SourceMap};
use infer::path::{Place, TemplateScope};
use parsed::check_parsed;
pub(crate) use steps::named;
use types::Type;

/// Checks the prompt and the pipeline of one skill.
pub(crate) fn check(
    draft: &SkillDraft,
    names: FolderNames<'_, '_>,
    sources: &SourceMap,
    report: &mut Report,
) {
    if let Some(prompt) = &draft.prompt {
        let scope = TemplateScope { input: Type::from_schema(draft.input()), steps: None, item: None };
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
