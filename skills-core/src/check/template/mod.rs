//! Templates in prompts and pipelines: they parse, what they read exists, and what they give can fit (SPEC 5.1 to 5.8).
//!
//! An expression gets a static type from the schemas of what it reads: the input of the skill, or the output of the skill
//! that a step uses. What it is given to must have a value in common with it. A value that may be absent, or whose
//! schema says nothing, passes and is looked at when it runs.

mod diagnose;
mod infer;
mod steps;
mod types;

use skills_template::{Error, Lint, Node, Parsed, Problem};

use super::draft::Draft;
use crate::catalog::Mode;
use crate::edit::Change;
use crate::report::Report;
use crate::span::SourceMap;
use infer::inference::Inference;
use infer::path::{Place, Scope};
#[cfg(feature = "reports")]
pub(crate) use steps::named;
use types::type_set::Type;

/// Checks the prompt and the pipeline of one skill; `find` returns the skill of a name, for what a step takes and gives.
pub(crate) fn check<'d>(
    draft: &'d Draft,
    find: &dyn Fn(&str) -> Option<&'d Draft>,
    sources: &SourceMap,
    report: &mut Report,
) {
    if let Some(prompt) = &draft.prompt {
        let scope = Scope { input: Type::of(draft.input()), steps: None, item: None, room: report.room() };
        let place = |start, end| prompt.span.part(start, end);
        let before = report.diagnostics.len();
        judge(&prompt.value, &place, &scope, report);
        close(&prompt.value, sources.text(prompt.span).trim_end().len(), &place, report, before);
    }
    if draft.mode() == Some(Mode::Composite) {
        steps::check(draft, find, sources, report);
    }
}

/// Adds to the only fault of a prompt, a block that is not closed, the edit that closes it at the end of the text.
fn close(parsed: &Parsed, end: usize, place: &Place<'_>, report: &mut Report, first: usize) {
    let ([Error { problem: Problem::UnclosedBlock { name }, .. }], Some(found)) =
        (parsed.errors.as_slice(), report.diagnostics.get_mut(first))
    else {
        return;
    };
    found.fix = Some(Change::replace(place(end, end), format!("{{{{/{name}}}}}")).looked_at());
}

/// Reports what is wrong with one template and returns what it can give; `place` turns its bytes into a span of the file.
fn judge<'s>(parsed: &Parsed, place: &Place<'_>, scope: &Scope<'s>, report: &mut Report) -> Type<'s> {
    faults(&parsed.errors, &parsed.lints, place, report);
    parsed.tree.as_ref().map_or(Type::Any, |tree| infer(tree.root(), place, scope, report))
}

fn faults(errors: &[Error], lints: &[Lint], place: &Place<'_>, report: &mut Report) {
    report.diagnostics.extend(errors.iter().map(|error| diagnose::error(error, place)));
    report.diagnostics.extend(lints.iter().map(|lint| diagnose::lint(lint, place)));
}

/// Reports what can never work in an expression and returns what it can give.
fn infer<'s>(node: Node<'_>, place: &Place<'_>, scope: &Scope<'s>, report: &mut Report) -> Type<'s> {
    Inference { scope: scope.clone(), place, report }.infer(node)
}
