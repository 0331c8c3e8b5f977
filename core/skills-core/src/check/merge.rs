//! Merges findings that have one cause.

use std::collections::BTreeMap;

use skills_text::Places;

use super::draft::SkillDraft;
use crate::diagnostic::Related;
use crate::rule::{fields, files, modes};
use crate::{Change, Diagnostic, DirectoryKind, Level, Report, SourceMap, known};

/// The number of skills from which a key is a convention of their author and not a mistake.
const CONVENTION: usize = 4;

/// The number of skills from which a kind of name is a convention of their author.
const SCHEME: usize = 3;

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

/// Finds the kinds of names that an author gave to many skills on purpose. A directory that has words before the name of its
/// skill, and a name `PREFIX:x` in `PREFIX-x`, are reported once, with their number. Names that have one word in place of
/// the first word of their directories are not reported.
pub(super) fn schemes_of_names(scope: DirectoryKind, report: &mut Report, sources: &SourceMap) {
    let mut places: BTreeMap<Scheme, Vec<usize>> = BTreeMap::new();
    for (at, found) in report.diagnostics.iter().enumerate() {
        let scheme = scheme(found, sources);
        // No build can use such a name.
        let is_error = scope == DirectoryKind::Bundle && scheme == Some(Scheme::Namespace);
        if let Some(scheme) = scheme.filter(|_| !is_error) {
            places.entry(scheme).or_default().push(at);
        }
    }
    let mut dropped = Vec::new();
    for (scheme, places) in places.into_iter().filter(|(_, places)| places.len() >= SCHEME) {
        let first = &mut report.diagnostics[places[0]];
        match &scheme {
            Scheme::LongDirectory => {
                first.title.push_str(&format!(", in {} skills", places.len()));
                first
                    .label
                    .push_str("; the directories of the others also end with `-` and the name of the skill");
            }
            Scheme::Namespace => {
                first.title = format!("the names of {} skills begin with a word and `:`", places.len());
                first.label = "other clients refuse a name with `:`".to_owned();
                first.help = "name the skills like their directories".to_owned();
                first.level = Level::Warning;
                first.fix = None;
            }
            Scheme::Replaced(_) => dropped.push(places[0]),
        }
        dropped.extend(&places[1..]);
    }
    dropped.sort_unstable();
    let mut at = 0..;
    report.diagnostics.retain(|_| at.next().is_none_or(|at| dropped.binary_search(&at).is_err()));
}

/// The way in which the names of several skills differ from their directories.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Scheme {
    /// The directory has more words before the name.
    LongDirectory,
    /// The name is that of the directory behind a prefix and `:`, which is written with `-` or not at all there.
    Namespace,
    /// The name begins with these words in place of the first word of the directory.
    Replaced(String),
}

/// Returns how the name of a skill differs from its directory.
fn scheme(found: &Diagnostic, sources: &SourceMap) -> Option<Scheme> {
    let is_invalid = found.rule.code == fields::NAME_INVALID.code;
    if !is_invalid && found.rule.code != fields::NAME_MISMATCH.code {
        return None;
    }
    let name = sources.text(found.span).trim_matches(['"', '\'']);
    let directory = sources.file_of(found.span).path.rsplit('/').nth(1)?;
    if is_invalid {
        let (prefix, rest) = name.split_once(':')?;
        let below = directory.strip_prefix(prefix).and_then(|below| below.strip_prefix('-'));
        return (below.unwrap_or(directory) == rest).then_some(Scheme::Namespace);
    }
    if directory.strip_suffix(name).is_some_and(|before| before.len() > 1 && before.ends_with(['-', '_'])) {
        // A finding with a fix is about a misspelling.
        return (!name.is_empty() && found.fix.is_none()).then_some(Scheme::LongDirectory);
    }
    let (_, rest) = directory.split_once('-')?;
    let words = name.strip_suffix(rest)?.strip_suffix('-')?;
    Some(Scheme::Replaced(words.to_owned()))
}

/// Changes the help for a name that differs from its directory if the neighbours are called `acme-DIRECTORY`: this name
/// should then begin with `acme-`, too.
pub(super) fn names_of_neighbours(drafts: &[SkillDraft], report: &mut Report, sources: &SourceMap) {
    let wrong = report.diagnostics.iter_mut();
    let mut wrong =
        wrong.filter(|found| found.rule.code == fields::NAME_MISMATCH.code && found.fix.is_none()).peekable();
    if wrong.peek().is_none() {
        return;
    }
    let mut prefixes: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for draft in drafts {
        if let Some(prefix) = draft.name.strip_suffix(&draft.skill.dir.name) {
            *prefixes.entry((&draft.skill.dir.folder, prefix)).or_default() += 1;
        }
    }
    for found in wrong {
        let Some(draft) = sources.file_of(found.span).skill.and_then(|at| drafts.get(at)) else { continue };
        let dir = &draft.skill.dir;
        let mut begins = draft.name.match_indices('-').map(|(at, _)| &draft.name[..=at]);
        let usual = begins.find(|begin| {
            let count = prefixes.get(&(dir.folder.as_str(), *begin));
            count.is_some_and(|count| *count >= SCHEME)
        });
        if let Some(prefix) = usual {
            found.help = format!("write it as: {}", draft.line("name", &format!("{prefix}{}", dir.name)));
        }
    }
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
