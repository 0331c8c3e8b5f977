//! Says which names several skills below a directory have, although `check` allows it because the skills are equal
//! or in different folders.

use std::collections::{BTreeMap, BTreeSet};

use skills_core::Loaded;
use skills_core::rule::fields::NAME_TWICE;
use skills_registry::ident_key;
use skills_text::visible;

use skills_commands::terminal;

/// The maximum number of names, and of paths of each, that are printed.
const SHOWN: usize = 3;

/// Warns about names of which a list, or a program that reads the directory, has only the first skill. Hidden
/// directories do not count, because only `check` reads them.
pub(super) fn tell(loaded: &Loaded, label: &str) {
    let sources = loaded.catalog.sources();
    let is_reported = |found: &&skills_core::diagnostic::Diagnostic| found.rule.code == NAME_TWICE.code;
    let reported: BTreeSet<usize> = loaded
        .report
        .diagnostics
        .iter()
        .filter(is_reported)
        .filter_map(|found| sources.file_of(found.span).skill)
        .collect();
    let reported: BTreeSet<&str> = loaded
        .tally
        .skills
        .iter()
        .filter(|(at, _)| reported.contains(at))
        .map(|(_, path)| path.as_str())
        .collect();
    let mut names: BTreeMap<String, Vec<(&str, &str)>> = BTreeMap::new();
    for skill in loaded.catalog.skills() {
        let is_hidden = skill.dir.split('/').any(|part| part.starts_with('.'));
        if !is_hidden && !reported.contains(skill.dir.as_str()) {
            names.entry(ident_key(&skill.name).into_owned()).or_default().push((&skill.name, &skill.dir));
        }
    }
    let repeated: Vec<String> = names
        .values()
        .filter(|skills| skills.len() > 1)
        .map(|skills| {
            let paths: Vec<&str> = skills.iter().take(SHOWN).map(|(_, path)| *path).collect();
            let more = if skills.len() > SHOWN { ", …" } else { "" };
            format!("`{}` ({}{more})", skills[0].0, paths.join(", "))
        })
        .collect();
    if repeated.is_empty() {
        return;
    }
    let more = match repeated.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown: Vec<&str> = repeated.iter().take(SHOWN).map(String::as_str).collect();
    terminal::warning(visible(&format!(
        "several skills have the same name: {}{more}; `list`, and a program that reads {label} as one directory, have \
         only the first of each; `check --bundle` shows all",
        shown.join(", ")
    )));
}
