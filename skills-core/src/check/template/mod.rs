//! Templates in prompts and pipelines: they parse, and what they read exists (SPEC 5.1 to 5.5, 5.8).
//!
//! A path is judged against the schema of what it reads: the input of the skill, or the output of the skill that a
//! step uses. A value that may be absent, or whose schema says nothing, passes and is looked at when it runs.

mod diagnose;
mod literal;
mod path;
mod pipeline;

use skills_template::{Parsed, parse_prompt, references};

use super::draft::Draft;
use crate::catalog::Mode;
use crate::diagnostic::Report;
use crate::span::{SourceMap, Span};
use path::Scope;

/// Checks the prompts and pipelines of all skills.
pub(super) fn check(drafts: &[Draft], sources: &SourceMap, report: &mut Report) {
    for draft in drafts {
        let mode = draft.typed.as_ref().and_then(|typed| typed.mode.as_ref()).map(|mode| mode.value);
        match mode {
            Some(Mode::Llm) => prompt(draft, sources, report),
            Some(Mode::Composite) => pipeline::check(draft, drafts, sources, report),
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
    let input = draft.manifest().and_then(|manifest| manifest.get("input"));
    let scope = Scope { roots: &["input", "item", "index"], input, steps: &[] };
    judge(&parse_prompt(text), &|start, end| super::body::offset(span, start, end), &scope, report);
}

/// Reports what is wrong with one template; `place` turns its bytes into a span of the file.
fn judge(parsed: &Parsed, place: &dyn Fn(usize, usize) -> Span, scope: &Scope<'_>, report: &mut Report) {
    for error in &parsed.errors {
        report.push(diagnose::error(error, place));
    }
    for lint in &parsed.lints {
        report.push(diagnose::lint(lint, place));
    }
    let Some(tree) = &parsed.tree else { return };
    for reference in references(tree.root()) {
        scope.judge(reference.path, place, report);
    }
}
