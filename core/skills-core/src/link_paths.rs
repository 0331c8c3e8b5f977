//! Finds the files that a Markdown text names, by links and by mentions such as `scripts/run.py`, and interprets their paths.
//! `read` uses it for the files of a skill in a package, `check` for missing files, and editors for links.

use std::ops::Range;

use skills_text::{path_names, percent_decoded_text};

use crate::markdown::Markdown;

/// Returns the paths to which a text links, relative to the directory of the text.
pub(crate) fn linked_paths(text: &str) -> Vec<String> {
    linked(text).into_iter().filter_map(|(_, path)| resolve("", &path)).collect()
}

/// Returns the links and mentions of a text in a file of `directory`, with their paths below the root.
pub(crate) fn named_paths(text: &str, directory: &str) -> Vec<(Range<usize>, String)> {
    let mentions = mentions(text).into_iter().map(|(start, end)| (start..end, text[start..end].into()));
    let all = linked(text).into_iter().chain(mentions);
    all.filter_map(|(at, path)| Some((at, resolve(directory, &path)?))).collect()
}

/// Returns the links of a text to files, each with its decoded path.
fn linked(text: &str) -> Vec<(Range<usize>, String)> {
    let links = Markdown::parse(text).links.into_iter().filter(|link| is_relative(&link.path));
    links.map(|link| (link.target, percent_decoded_text(path_of(&link.path)).into_owned())).collect()
}

/// The folders of a skill that the standard names.
pub(crate) const FOLDERS: [&str; 3] = ["scripts", "references", "assets"];

/// Returns `true` if a target looks like a relative file path: without scheme, anchor or mail address.
pub(crate) fn is_relative(target: &str) -> bool {
    let scheme = target.find(':').is_some_and(|at| !target[..at].contains(['/', '.', '#']));
    !target.is_empty()
        && !target.starts_with(['#', '/'])
        && !scheme
        && !target.contains('@')
        && target.contains(['/', '.'])
}

/// A path that begins with a variable for a directory.
#[derive(Debug)]
pub(crate) struct Rooted {
    /// Where the variable begins.
    pub(crate) at: usize,
    /// The place of the path behind the variable.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) variable: DirectoryVariable,
}

/// A variable of clients for a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DirectoryVariable {
    /// `${CLAUDE_SKILL_DIR}`: the skill.
    SkillDir,
    /// `{baseDir}`: the skill, or for some authors the directory in which an agent works.
    BaseDir,
    /// `${CLAUDE_PLUGIN_ROOT}`: the plugin.
    PluginRoot,
}

/// Finds the files that a text names with the variables of clients: `${CLAUDE_SKILL_DIR}/a.py`, `{baseDir}/a.py` and
/// `${CLAUDE_PLUGIN_ROOT}/a.py`.
pub(crate) fn rooted(text: &str) -> Vec<Rooted> {
    const VARIABLES: [(&str, DirectoryVariable); 5] = [
        ("${CLAUDE_SKILL_DIR}/", DirectoryVariable::SkillDir),
        ("$CLAUDE_SKILL_DIR/", DirectoryVariable::SkillDir),
        ("{baseDir}/", DirectoryVariable::BaseDir),
        ("${CLAUDE_PLUGIN_ROOT}/", DirectoryVariable::PluginRoot),
        ("$CLAUDE_PLUGIN_ROOT/", DirectoryVariable::PluginRoot),
    ];
    let mut found = Vec::new();
    for (name, variable) in VARIABLES {
        for (at, _) in text.match_indices(name) {
            let start = at + name.len();
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
                found.push(Rooted { at, start, end: start + path.len(), variable });
            }
        }
    }
    skills_text::sort(&mut found, &|a, b| a.start.cmp(&b.start));
    found
}

/// Finds words such as `scripts/run.py`: a path below one of the three folders, without any path before it.
pub(crate) fn mentions(text: &str) -> Vec<(usize, usize)> {
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

/// Returns the target of a link without the part after `#` or `?`.
pub(crate) fn path_of(target: &str) -> &str {
    target.split(['#', '?']).next().unwrap_or_default()
}

/// Returns `true` if a target is the name of a host and not of a file.
pub(crate) fn is_host(path: &str) -> bool {
    const ENDS: [&str; 8] = ["ai", "app", "com", "dev", "io", "net", "org", "sh"];
    let host = path.split('/').next().unwrap_or_default();
    let parts: Vec<&str> = host.split('.').collect();
    let is_word =
        |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    // No text has the ending `com`, but many files have two parts.
    let least = if path.contains('/') || host.ends_with(".com") { 2 } else { 3 };
    parts.len() >= least && parts.iter().all(is_word) && parts.last().is_some_and(|end| ENDS.contains(end))
}

/// Returns `true` if a path stands for many files, or has a part that the reader fills in.
pub(crate) fn is_pattern(path: &str) -> bool {
    path.is_empty() || path.contains(['<', '>', '{', '}', '*', '$', '…', '[', ']']) || path.contains("...")
}

/// Returns `true` if a path leads to another skill of the same folder.
pub(crate) fn is_sibling(path: &str) -> bool {
    let name = path.strip_prefix("../").and_then(|rest| rest.strip_suffix("/SKILL.md"));
    name.is_some_and(|name| !name.contains('/') && name != "..")
}

/// Returns `true` if a file has a made-up name, such as `scripts/foo.py` and `references/your-guide.md`, or that of a cache,
/// which a program writes: `references/registry-cache.json`.
pub(crate) fn is_placeholder(path: &str) -> bool {
    const NAMES: &str = "foo bar baz qux xxx xyz example sample placeholder filename file script";
    const STARTS: [&str; 4] = ["my", "your", "some", "example"];
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    let first = stem.split(['-', '_']).next().unwrap_or_default();
    let is_data =
        [".json", ".jsonl", ".yaml", ".yml", ".db", ".sqlite", ".pkl"].iter().any(|end| name.ends_with(end));
    is_data && stem.split(['-', '_']).any(|part| part == "cache")
        || NAMES.split(' ').any(|name| name == stem)
        || first.len() < stem.len() && (STARTS.contains(&first) || stem.ends_with("name"))
}

/// Resolves a path relative to a directory below the root; `None` if it leaves the root.
pub(crate) fn resolve(directory: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts = path_names(directory);
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns the path from one directory to another place, both below the root.
pub(crate) fn relative(from: &str, to: &str) -> String {
    let (from, to) = (path_names(from), path_names(to));
    let shared = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    let up = std::iter::repeat_n("..", from.len() - shared);
    up.chain(to[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// Returns the help for a link to a home directory, which no reader of the file can follow.
pub(crate) fn home_help(path: &str) -> Option<String> {
    let below = path.strip_prefix("~/")?;
    let name = below.split_once("/skills/").and_then(|(_, skill)| skill.split_once('/'));
    Some(match name {
        Some((name, _)) => format!("tell the reader to use the skill `{name}`"),
        None => format!("write the path as code, without a link: `{path}`"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let variables: Vec<DirectoryVariable> = found.iter().map(|found| found.variable).collect();
        use DirectoryVariable::{BaseDir, PluginRoot, SkillDir};
        assert_eq!(variables, [SkillDir, SkillDir, BaseDir, PluginRoot]);
    }

    // SPEC 2.11
    #[test]
    fn mentions_are_found() {
        let text = "Run `python scripts/a.py`, see references/b.md. and ./assets/c/d.png; not x/scripts/e.py, \
            $DIR/scripts/f.py, https://h/scripts/g.py, the scripts/ folder, scripts/run, scripts/lib/a.b_c";
        assert_eq!(texts(text, mentions(text)), ["scripts/a.py", "references/b.md", "./assets/c/d.png"]);
    }

    // SPEC 2.14
    #[test]
    fn placeholders_are_known() {
        for path in ["scripts/foo.py", "references/your-guide.md", "assets/my_logo.png", "scripts/script.sh"]
        {
            assert!(is_placeholder(path), "{path}");
        }
        assert!(is_placeholder("scripts/script_name.py") && is_placeholder("references/registry-cache.json"));
        assert!(!is_placeholder("references/cache.md") && !is_placeholder("scripts/cache.py"));
        for path in
            ["references/examples.md", "scripts/barcode.py", "references/my.md", "assets/file-types.md"]
        {
            assert!(!is_placeholder(path), "{path}");
        }
    }

    #[test]
    fn hosts_are_distinguished_from_files() {
        assert!(is_host("docs.example.org") && is_host("example.com/a/b") && is_host("example.com"));
        for file in ["install.sh", "a/b.org", "references/a.dev", "v1.2.net.md", "example.net"] {
            assert!(!is_host(file), "{file}");
        }
    }

    #[test]
    fn paths_resolve_inside_the_root() {
        assert_eq!(resolve("", "./a//b/../c").as_deref(), Some("a/c"));
        assert_eq!(resolve("pdf", "../csv/SKILL.md").as_deref(), Some("csv/SKILL.md"));
        assert_eq!(resolve("", "../a"), None);
        assert_eq!(resolve("x", "a/../../../b"), None);
        assert_eq!(resolve("x", "/etc/passwd"), None);
    }

    #[test]
    fn paths_between_directories_lead_up_and_down() {
        assert_eq!(relative("a/b", "a/c/d.md"), "../c/d.md");
        assert_eq!(relative("a", "a/c.md"), "c.md");
        assert_eq!(relative("", "a/c.md"), "a/c.md");
        assert_eq!(relative("a/b", "c.md"), "../../c.md");
    }

    // SPEC 2.14
    #[test]
    fn other_skills_of_the_folder_are_known() {
        assert!(is_sibling("../csv/SKILL.md"));
        assert!(!is_sibling("../../SKILL.md") && !is_sibling("../csv/a.md") && !is_sibling("csv/SKILL.md"));
    }
}
