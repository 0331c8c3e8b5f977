//! Parses git's list of the files of a commit, and chooses the files that belong to skills.

use std::collections::BTreeSet;

use skills_text::is_exact_path;

/// One file of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: EntryKind,
    pub(crate) object: String,
    pub(crate) path: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    File,
    Executable,
    Link,
    Submodule,
    /// A name that no file of a skill may have, such as `..` or a name with a backslash.
    BadName,
}

impl EntryKind {
    /// Returns the reason why an entry is left out, or `None` for a file.
    pub(crate) fn fault(self) -> Option<&'static str> {
        match self {
            Self::File | Self::Executable => None,
            Self::Link => Some("is a symbolic link, which is never fetched"),
            Self::Submodule => Some("is a submodule, which is never fetched"),
            Self::BadName => Some("has a name that leads elsewhere or is not valid on all systems"),
        }
    }
}

/// Parses the output of `git ls-tree -r -z`. A line of another form is skipped.
pub(crate) fn parse(listing: &[u8]) -> Vec<Entry> {
    listing.split(|byte| *byte == 0).filter_map(entry).collect()
}

fn entry(line: &[u8]) -> Option<Entry> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let (head, path) = (std::str::from_utf8(line.get(..tab)?).ok()?, line.get(tab + 1..)?);
    let mut words = head.split_ascii_whitespace();
    let (mode, _, object) = (words.next()?, words.next()?, words.next()?);
    let is_plain = std::str::from_utf8(path).is_ok_and(|path| {
        is_exact_path(path) && !path.split('/').any(|part| part.eq_ignore_ascii_case(".git"))
    });
    let kind = match mode {
        "120000" => EntryKind::Link,
        "160000" => EntryKind::Submodule,
        _ if !is_plain => EntryKind::BadName,
        "100755" => EntryKind::Executable,
        _ => EntryKind::File,
    };
    let (object, path) = (object.to_owned(), String::from_utf8_lossy(path).into_owned());
    Some(Entry { kind, object, path })
}

/// Returns the directory of the skills in a repository: the first of the usual directories that contains a
/// skill.
pub(crate) fn base(entries: &[Entry]) -> &'static str {
    let has_skills = |base: &&&str| skill_directories(entries).iter().any(|path| below(path, base).is_some());
    ["skills", ".claude/skills", ".agents/skills"].iter().find(has_skills).copied().unwrap_or("")
}

/// Returns the entries below a directory that belong to skills, with their paths below it.
pub(crate) fn of_skills<'e>(entries: &'e [Entry], base: &str) -> Vec<(&'e Entry, &'e str)> {
    let skills = skill_directories(entries);
    let is_part = |path: &str| {
        let mut above = path;
        std::iter::from_fn(|| {
            above = above.rsplit_once('/').map(|(above, _)| above).or(if above.is_empty() {
                None
            } else {
                Some("")
            })?;
            Some(above)
        })
        .any(|above| skills.contains(above))
    };
    let chosen = entries.iter().filter_map(|entry| Some((entry, below(&entry.path, base)?)));
    chosen
        .filter(|(entry, path)| !path.is_empty() && (*path == ".skillignore" || is_part(&entry.path)))
        .collect()
}

fn skill_directories(entries: &[Entry]) -> BTreeSet<&str> {
    let entries = entries.iter().map(|entry| entry.path.rsplit_once('/').unwrap_or(("", &entry.path)));
    entries
        .filter(|(_, name)| matches!(*name, "SKILL.md" | "skill.json"))
        .map(|(directory, _)| directory)
        .collect()
}

fn below<'p>(path: &'p str, base: &str) -> Option<&'p str> {
    skills_text::path_below(path, base)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(lines: &[(&str, &str)]) -> Vec<u8> {
        let lines = lines.iter().map(|(mode, path)| format!("{mode} blob abc\t{path}\0"));
        lines.collect::<String>().into_bytes()
    }

    // SPEC 21.4
    #[test]
    fn only_files_with_plain_names_are_files() {
        let listing = listing(&[
            ("100644", "a/SKILL.md"),
            ("100755", "a/run"),
            ("120000", "a/link"),
            ("160000", "a/sub"),
            ("100644", "a/../b"),
            ("100644", "a/.GIT/config"),
            ("100644", "a/c\\d"),
        ]);
        let kinds: Vec<EntryKind> = parse(&listing).into_iter().map(|entry| entry.kind).collect();
        use EntryKind::{BadName, Executable, File, Link, Submodule};
        assert_eq!(kinds, [File, Executable, Link, Submodule, BadName, BadName, BadName]);
    }

    // SPEC 21.1: the directory `skills` is preferred, and files outside of skills are not read
    #[test]
    fn the_files_of_skills_are_chosen() {
        let listing = listing(&[
            ("100644", "README.md"),
            ("100644", "skills/README.md"),
            ("100644", "skills/pdf/SKILL.md"),
            ("100644", "skills/pdf/a/b.md"),
            ("100644", "tests/pdf/SKILL.md"),
        ]);
        let entries = parse(&listing);
        assert_eq!(base(&entries), "skills");
        let paths: Vec<&str> = of_skills(&entries, "skills").into_iter().map(|(_, path)| path).collect();
        assert_eq!(paths, ["pdf/SKILL.md", "pdf/a/b.md"]);
        let root = parse(&self::listing(&[("100644", "SKILL.md"), ("100644", "run.sh")]));
        assert_eq!((base(&root), of_skills(&root, "").len()), ("", 2));
    }
}
