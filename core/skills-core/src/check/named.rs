//! Merges the finding for a file name in the wrong letter case with the findings that it causes.

use crate::diagnostic::{Diagnostic, Related};
use crate::edit::Change;
use crate::report::Report;
use crate::rule::{files, modes};
use crate::span::SourceMap;

/// Merges the finding for a misspelled file name with its consequences: a root without skills, a missing
/// prompt.
pub(super) fn join(report: &mut Report, sources: &SourceMap) {
    let found = &mut report.diagnostics;
    let is_case = |found: &Diagnostic| found.rule.code == files::FILE_NAME_CASE.code;
    if !found.iter().any(is_case) {
        return;
    }
    if let Some(empty) = found.iter().position(|found| found.rule.code == files::ROOT_EMPTY.code) {
        let mut empty = found.remove(empty);
        match found.iter_mut().find(|found| is_case(found)) {
            Some(case) => {
                (empty.span, empty.label) = (case.span, case.title.clone());
                (empty.help, empty.fix) = (case.help.clone(), case.fix.clone());
                *case = empty;
            }
            None => found.insert(0, empty),
        }
    }
    let skill = |found: &Diagnostic| sources.file_of(found.span).skill;
    let is_missing = |found: &Diagnostic| found.rule.code == modes::PROMPT_MISSING.code;
    while let Some((missing, case)) = found.iter().enumerate().find_map(|(at, missing)| {
        let is_its = |case: &Diagnostic| is_case(case) && is_prompt(case) && skill(case) == skill(missing);
        let case = is_missing(missing).then(|| found.iter().position(is_its)).flatten()?;
        Some((at, case))
    }) {
        let Diagnostic { span, title, help, fix, .. } = found[case].clone();
        let missing = &mut found[missing];
        missing.related.push(Related { span, label: title });
        (missing.help, missing.fix) = (help, fix);
        found.remove(case);
    }
}

/// Returns `true` if a file should be renamed to `prompt.md`.
fn is_prompt(case: &Diagnostic) -> bool {
    let mut changes = case.fix.iter().flat_map(|fix| &fix.changes);
    changes.any(|change| matches!(change, Change::Rename { to, .. } if to == "prompt.md"))
}
