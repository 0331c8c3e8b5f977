//! Templates in prompts and pipelines: they parse, what they read exists, and what they give can fit (SPEC 5.1 to 5.8).
//!
//! An expression gets a static type from the schemas of what it reads: the input of the skill, or the output of the skill
//! that a step uses. What it is given to must have a value in common with it. A value that may be absent, or whose
//! schema says nothing, passes and is looked at when it runs.

mod depends;
mod diagnose;
mod filter;
mod finding;
mod fit;
mod infer;
mod kinds;
mod literal;
mod path;
mod pipeline;
mod place;
mod schema;
mod type_set;
mod written;

use skills_template::{Parsed, parse_prompt};

use super::draft::Draft;
use crate::catalog::Mode;
use crate::diagnostic::Report;
use crate::options::FormatPolicy;
use crate::span::SourceMap;
use infer::Inference;
use literal::Literals;
use path::{Place, Scope};
use type_set::Type;

/// Checks the prompts and pipelines of all skills.
pub(super) fn check(drafts: &[Draft], sources: &SourceMap, formats: FormatPolicy, report: &mut Report) {
    let literals = Literals::new(sources, formats.into());
    for draft in drafts {
        let mode = draft.typed.as_ref().and_then(|typed| typed.mode.as_ref()).map(|mode| mode.value);
        match mode {
            Some(Mode::Llm) => prompt(draft, sources, report),
            Some(Mode::Composite) => pipeline::check(draft, drafts, &literals, report),
            _ => {}
        }
    }
}

fn prompt(draft: &Draft, sources: &SourceMap, report: &mut Report) {
    let file = draft.skill.prompt.map(|file| sources.file(file).span(0..usize::MAX));
    let Some(span) = file.or(draft.skill.document.as_ref().map(|document| document.body)) else { return };
    let text = sources.text(span);
    if !text.contains("{{") {
        return;
    }
    let input = Type::of(draft.manifest().and_then(|manifest| manifest.get("input")));
    let scope = Scope { input, steps: None, item: None };
    judge(&parse_prompt(text), &|start, end| super::body::offset(span, start, end), &scope, report);
}

/// Reports what is wrong with one template and returns what it can give; `place` turns its bytes into a span of the file.
fn judge<'s>(parsed: &Parsed, place: &Place<'_>, scope: &Scope<'s>, report: &mut Report) -> Type<'s> {
    for error in &parsed.errors {
        report.push(diagnose::error(error, place));
    }
    for lint in &parsed.lints {
        report.push(diagnose::lint(lint, place));
    }
    let Some(tree) = &parsed.tree else { return Type::Any };
    Inference { scope: scope.clone(), place, report }.infer(tree.root())
}
