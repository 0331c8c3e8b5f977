//! Runs the check of the options on the Markdown texts of a skill: the body, the prompt, and all other `.md` files.

use super::draft::Draft;
use crate::options::Options;
use crate::parse;
use crate::report::Report;
use crate::span::{SourceMap, Span};

/// Checks the texts of the skill with the number `at`.
pub(super) fn check(
    draft: &mut Draft,
    at: usize,
    sources: &mut SourceMap,
    options: &Options,
    report: &mut Report,
) {
    let Some(check) = options.texts.get() else { return };
    let mut places: Vec<Span> =
        draft.skill.document.as_ref().map(|document| document.body).into_iter().collect();
    let dir = &mut draft.skill.dir;
    let others: Vec<String> = dir
        .files
        .iter()
        .map(|file| file.path.clone())
        .filter(|path| path.to_ascii_lowercase().ends_with(".md") && path != "SKILL.md")
        .collect();
    for path in others {
        let file = parse::take_up(dir, &path, at, sources);
        places.extend(file.map(|file| sources.file(file).span(0..usize::MAX)));
    }
    for place in places {
        check.check(sources.text(place), place, report);
    }
}
