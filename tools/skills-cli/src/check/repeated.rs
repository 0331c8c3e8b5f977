//! Warns about names that several skills below a directory have. `check` allows such names if the skills are equal
//! or in different folders.

use std::collections::BTreeMap;

use skills_core::report::Repeated;
use skills_text::visible;

use skills_commands::terminal;

/// The maximum number of printed names, and of printed paths for each name.
const SHOWN: usize = 3;

/// Warns about repeated names, because `list`, or a program that reads the directory, has only the first skill of
/// each name. Hidden directories do not count, because only `check` reads them. Names that are reported as errors do
/// not count either, because their skills are not in the catalog.
pub(super) fn note_repeated(repeated: &[Repeated], label: &str) {
    let is_hidden = |path: &str| path.split('/').any(|part| part.starts_with('.'));
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for found in repeated {
        let paths = names.entry(&found.first).or_insert_with(|| vec![&found.first]);
        paths.push(&found.path);
    }
    let named: BTreeMap<&str, &str> = repeated.iter().map(|found| (&*found.first, &*found.name)).collect();
    let lines: Vec<String> = names
        .iter()
        .filter_map(|(first, paths)| {
            let paths: Vec<&str> = paths.iter().copied().filter(|path| !is_hidden(path)).collect();
            let more = if paths.len() > SHOWN { ", …" } else { "" };
            let shown = paths.get(..SHOWN.min(paths.len())).unwrap_or_default().join(", ");
            (paths.len() > 1).then(|| format!("`{}` ({shown}{more})", named.get(first).unwrap_or(first)))
        })
        .collect();
    if lines.is_empty() {
        return;
    }
    let more = match lines.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let shown = lines.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    terminal::warning(visible(&format!(
        "several skills have the same name: {shown}{more}; `list`, and a program that reads {label} as one directory, have \
         only the first of each; `check --bundle` shows all"
    )));
}
