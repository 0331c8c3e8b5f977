//! Finds the words in a text that name files, and tells links to files from others.

const FOLDERS: [&str; 3] = ["scripts", "references", "assets"];

/// Returns `true` if a target looks like a relative file path: without scheme, anchor or mail address.
pub(super) fn is_relative(target: &str) -> bool {
    let scheme = target.find(':').is_some_and(|at| !target[..at].contains(['/', '.', '#']));
    !target.is_empty()
        && !target.starts_with(['#', '/'])
        && !scheme
        && !target.contains('@')
        && target.contains(['/', '.'])
}

/// A path that begins with a variable for a directory.
#[derive(Debug)]
pub(super) struct Rooted {
    /// Where the variable begins.
    pub(super) at: usize,
    /// The place of the path behind the variable.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether the variable names the directory of the plugin.
    pub(super) is_of_plugin: bool,
}

/// Finds the files that a text names with the variables of clients: `${CLAUDE_SKILL_DIR}/a.py`, `{baseDir}/a.py` and
/// `${CLAUDE_PLUGIN_ROOT}/a.py`.
pub(super) fn rooted(text: &str) -> Vec<Rooted> {
    const VARIABLES: [&str; 5] = [
        "${CLAUDE_SKILL_DIR}/",
        "$CLAUDE_SKILL_DIR/",
        "{baseDir}/",
        "${CLAUDE_PLUGIN_ROOT}/",
        "$CLAUDE_PLUGIN_ROOT/",
    ];
    let mut found = Vec::new();
    for variable in VARIABLES {
        for (at, _) in text.match_indices(variable) {
            let start = at + variable.len();
            let rest = &text[start..];
            let length =
                rest.find(|c: char| !(c.is_alphanumeric() || "/_-.+".contains(c))).unwrap_or(rest.len());
            let path = rest[..length].trim_end_matches(['.', '/']);
            // A path such as `out/<name>.json` is filled in by the reader.
            let is_whole = !rest[length..].starts_with(['<', '{', '$', '*', '[', '%', '…']);
            let name = path.rsplit('/').next().unwrap_or_default();
            let is_file = name.rsplit_once('.').is_some_and(|(stem, ending)| {
                !stem.is_empty() && !ending.is_empty() && ending.chars().all(|c| c.is_ascii_alphanumeric())
            });
            if is_whole && is_file {
                let is_of_plugin = variable.contains("PLUGIN");
                found.push(Rooted { at, start, end: start + path.len(), is_of_plugin });
            }
        }
    }
    skills_text::sort(&mut found, &|a, b| a.start.cmp(&b.start));
    found
}

/// Finds words such as `scripts/run.py`: a path below one of the three folders, without any path before it.
pub(super) fn mentions(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(slash) = text.get(from..).and_then(|rest| rest.find('/')).map(|at| at + from) {
        from = slash + 1;
        let Some(folder) = FOLDERS.into_iter().find(|folder| text[..slash].ends_with(folder)) else {
            continue;
        };
        let mut start = slash - folder.len();
        if text[..start].ends_with("./") {
            start -= 2;
        }
        let before = text[..start].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || "/_-.$}>~@\\*:".contains(c)) {
            continue;
        }
        let rest = &text[slash + 1..];
        let length =
            rest.find(|c: char| !(c.is_alphanumeric() || "/_-.+<>{}*$[]…".contains(c))).unwrap_or(rest.len());
        let word = rest[..length].trim_end_matches(['.', '-', '_']);
        // `scripts/` alone names the folder, not a file. `lib/a.b_c` names an item of a module.
        let ending = word.rsplit_once('.').map(|(_, ending)| ending);
        if ending.is_some_and(|ending| !ending.contains('_')) {
            found.push((start, slash + 1 + word.len()));
        }
        from = slash + 1 + length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{is_relative, mentions, rooted};

    fn texts(text: &str, spans: Vec<(usize, usize)>) -> Vec<&str> {
        spans.into_iter().map(|(start, end)| &text[start..end]).collect()
    }

    // SPEC 2.11
    #[test]
    fn links_to_files_are_distinguished_from_others() {
        for target in ["a.md", "img/b.png", "c d.md", "./a", "../b/SKILL.md#c"] {
            assert!(is_relative(target), "{target}");
        }
        for target in ["https://x.y", "#z", "mailto:a@b.c", "word", "", "/etc/x"] {
            assert!(!is_relative(target), "{target}");
        }
    }

    // SPEC 2.14
    #[test]
    fn paths_behind_variables_are_found() {
        let text = "Run `${CLAUDE_SKILL_DIR}/scripts/a.py`, \"$CLAUDE_SKILL_DIR/b.sh\". [x]({baseDir}/c/d.md#e) \
            ${CLAUDE_PLUGIN_ROOT}/f.json {baseDir}/out ${CLAUDE_SKILL_DIR}/g-<n>.md {baseDir}/$h.md";
        let found = rooted(text);
        let paths: Vec<&str> = found.iter().map(|found| &text[found.start..found.end]).collect();
        assert_eq!(paths, ["scripts/a.py", "b.sh", "c/d.md", "f.json"]);
        assert_eq!(found.iter().filter(|found| found.is_of_plugin).count(), 1);
    }

    // SPEC 2.11
    #[test]
    fn mentions_are_found() {
        let text = "Run `python scripts/a.py`, see references/b.md. and ./assets/c/d.png; not x/scripts/e.py, \
            $DIR/scripts/f.py, https://h/scripts/g.py, the scripts/ folder, scripts/run, scripts/lib/a.b_c";
        assert_eq!(texts(text, mentions(text)), ["scripts/a.py", "references/b.md", "./assets/c/d.png"]);
    }
}
