//! Merges findings that have one cause.

use skills_text::Places;

use crate::diagnostic::Related;
use crate::rule::{fields, files, modes};
use crate::{Change, Diagnostic, Report, SourceMap, known};

/// The number of skills from which a key, or a kind of name, is a convention of their author and not a mistake.
const CONVENTION: usize = 4;

/// Keeps one finding for each unknown or foreign key: the first place, with the number of places. A key of many skills
/// is dropped, unless it is probably a misspelling of a known one.
pub(super) fn unknown_keys(report: &mut Report, sources: &SourceMap) {
    let merged = [fields::KEY_UNKNOWN.code, fields::KEY_FOREIGN.code];
    let mut first = Places::default();
    let mut counts: Vec<(usize, usize)> = Vec::new();
    let mut kept = Vec::with_capacity(report.diagnostics.len());
    for diagnostic in report.diagnostics.drain(..) {
        if !merged.contains(&diagnostic.rule.code) {
            kept.push(diagnostic);
            continue;
        }
        let key = sources.text(diagnostic.span).trim_matches(['"', '\'']);
        let key = format!("{} {} {key}", diagnostic.rule.code, is_corrected(&diagnostic));
        let nth = first.first(key, counts.len());
        match counts.get_mut(nth) {
            Some((at, count)) => {
                *count += 1;
                // One fix for all places.
                if let (Some(fix), Some(more)) = (&mut kept[*at].fix, diagnostic.fix) {
                    fix.changes.extend(more.changes);
                }
            }
            None => {
                counts.push((kept.len(), 1));
                kept.push(diagnostic);
            }
        }
    }
    let mut conventions = Vec::new();
    for (at, count) in counts.into_iter().filter(|(_, count)| *count > 1) {
        let diagnostic = &mut kept[at];
        diagnostic.title.push_str(&format!(", in {count} skills"));
        diagnostic.label.push_str("; this is the first one");
        if count >= CONVENTION && is_own_key(diagnostic, sources) {
            conventions.push(at);
        }
    }
    let mut at = 0..;
    kept.retain(|_| !at.next().is_some_and(|at| conventions.contains(&at)));
    report.diagnostics = kept;
}

/// Returns `true` if the fix of a finding writes another word in its place.
fn is_corrected(diagnostic: &Diagnostic) -> bool {
    let mut changes = diagnostic.fix.iter().flat_map(|fix| &fix.changes);
    changes.any(|change| matches!(change, Change::Replace { span, .. } if *span == diagnostic.span))
}

/// Returns `true` if a finding is about an unknown key without a correction, or whose correction is only its plural or its
/// singular. The keys of the standard have no such neighbours.
fn is_own_key(diagnostic: &Diagnostic, sources: &SourceMap) -> bool {
    let key = sources.text(diagnostic.span).trim_matches(['"', '\'']);
    let keys: Vec<&str> = known::KEYS.iter().map(|known| known.key).collect();
    let near = known::correction(key, &keys).filter(|_| is_corrected(diagnostic));
    let is_own = near.is_none_or(|near| {
        let is_counted = key.strip_suffix('s') == Some(near) || near.strip_suffix('s') == Some(key);
        is_counted && known::find_folded(near).is_some_and(|near| !near.standard)
    });
    diagnostic.rule.code == fields::KEY_UNKNOWN.code && is_own
}

/// Keeps one finding about the skills whose directories end with `-` and their names, if there are many of them: the
/// first place, with the number of places.
pub(super) fn prefixed_directories(report: &mut Report, sources: &SourceMap) {
    let found = report.diagnostics.iter().enumerate();
    let places: Vec<usize> =
        found.filter(|(_, found)| is_in_prefixed_directory(found, sources)).map(|(at, _)| at).collect();
    let [first, others @ ..] = places.as_slice() else { return };
    if places.len() < CONVENTION {
        return;
    }
    let diagnostic = &mut report.diagnostics[*first];
    diagnostic.title.push_str(&format!(", in {} skills", places.len()));
    diagnostic.label.push_str("; the directories of the others also end with `-` and the name of the skill");
    let mut at = 0..;
    report.diagnostics.retain(|_| at.next().is_none_or(|at| others.binary_search(&at).is_err()));
}

/// Returns `true` if a finding is about a skill whose directory has words before the name of the skill. A finding with a
/// fix is about a misspelling.
fn is_in_prefixed_directory(found: &Diagnostic, sources: &SourceMap) -> bool {
    if found.rule.code != fields::NAME_MISMATCH.code || found.fix.is_some() {
        return false;
    }
    let name = sources.text(found.span).trim_matches(['"', '\'']);
    let directory = sources.file_of(found.span).path.rsplit('/').nth(1).unwrap_or_default();
    let before = directory.strip_suffix(name).unwrap_or_default();
    !name.is_empty() && before.len() > 1 && before.ends_with(['-', '_'])
}

/// Merges the finding for a misspelled file name with its consequences: no skills, or no prompt.
pub(super) fn misspelled_file_names(report: &mut Report, sources: &SourceMap) {
    let found = &mut report.diagnostics;
    if !found.iter().any(is_misspelled_file_name) {
        return;
    }
    if let Some(empty) = found.iter().position(|found| found.rule.code == files::ROOT_EMPTY.code) {
        let mut empty = found.remove(empty);
        match found.iter_mut().find(|found| is_misspelled_file_name(found)) {
            Some(case) => {
                (empty.span, empty.label) = (case.span, case.title.clone());
                (empty.help, empty.fix) = (case.help.clone(), case.fix.clone());
                *case = empty;
            }
            None => found.insert(0, empty),
        }
    }
    while let Some((missing, case)) = find_missing_prompt(found, sources) {
        let Diagnostic { span, title, help, fix, .. } = found[case].clone();
        let missing = &mut found[missing];
        missing.related.push(Related { span, label: title });
        (missing.help, missing.fix) = (help, fix);
        found.remove(case);
    }
}

/// Finds a missing prompt, and the misspelled file name of the same skill that is probably meant as the prompt.
fn find_missing_prompt(found: &[Diagnostic], sources: &SourceMap) -> Option<(usize, usize)> {
    found.iter().enumerate().filter(|(_, missing)| missing.rule.code == modes::PROMPT_MISSING.code).find_map(
        |(at, missing)| {
            let skill = sources.file_of(missing.span).skill;
            let case = found.iter().position(|case| {
                is_misspelled_file_name(case)
                    && sources.file_of(case.span).skill == skill
                    && case
                        .fix
                        .iter()
                        .flat_map(|fix| &fix.changes)
                        .any(|change| matches!(change, Change::Rename { to, .. } if to == "prompt.md"))
            })?;
            Some((at, case))
        },
    )
}

fn is_misspelled_file_name(found: &Diagnostic) -> bool {
    found.rule.code == files::FILE_NAME_CASE.code
}
