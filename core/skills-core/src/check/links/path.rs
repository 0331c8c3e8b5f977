//! Interprets the path that a link or a mention names.

use skills_text::path_names;

/// Returns the target of a link without the part after `#` or `?`.
pub(super) fn path_of(target: &str) -> &str {
    target.split(['#', '?']).next().unwrap_or_default()
}

/// Returns `true` if a target is the name of a host and not of a file.
pub(super) fn is_host(path: &str) -> bool {
    const ENDS: [&str; 8] = ["ai", "app", "com", "dev", "io", "net", "org", "sh"];
    let host = path.split('/').next().unwrap_or_default();
    let parts: Vec<&str> = host.split('.').collect();
    let is_word =
        |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let least = if path.contains('/') { 2 } else { 3 };
    parts.len() >= least && parts.iter().all(is_word) && parts.last().is_some_and(|end| ENDS.contains(end))
}

/// Returns `true` if a path stands for many files, or has a part that the reader fills in.
pub(super) fn is_pattern(path: &str) -> bool {
    path.is_empty() || path.contains(['<', '>', '{', '}', '*', '$', '…', '[', ']']) || path.contains("...")
}

/// Returns `true` if a path leads to another skill of the same folder.
pub(super) fn is_sibling(path: &str) -> bool {
    let name = path.strip_prefix("../").and_then(|rest| rest.strip_suffix("/SKILL.md"));
    name.is_some_and(|name| !name.contains('/') && name != "..")
}

/// Returns `true` if a file has a made-up name: `scripts/foo.py`, `references/your-guide.md`.
pub(super) fn is_placeholder(path: &str) -> bool {
    const NAMES: &str = "foo bar baz qux xxx xyz example sample placeholder filename file script";
    const STARTS: [&str; 4] = ["my", "your", "some", "example"];
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or_default();
    let first = stem.split(['-', '_']).next().unwrap_or_default();
    NAMES.split(' ').any(|name| name == stem)
        || first.len() < stem.len() && (STARTS.contains(&first) || stem.ends_with("name"))
}

/// Resolves a path relative to a directory below the root; `None` if it leaves the root.
pub(super) fn resolve(directory: &str, path: &str) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::{is_host, is_placeholder, is_sibling, resolve};

    // SPEC 2.14
    #[test]
    fn placeholders_are_known() {
        for path in ["scripts/foo.py", "references/your-guide.md", "assets/my_logo.png", "scripts/script.sh"]
        {
            assert!(is_placeholder(path), "{path}");
        }
        assert!(is_placeholder("scripts/script_name.py"));
        for path in
            ["references/examples.md", "scripts/barcode.py", "references/my.md", "assets/file-types.md"]
        {
            assert!(!is_placeholder(path), "{path}");
        }
    }

    #[test]
    fn hosts_are_distinguished_from_files() {
        assert!(is_host("docs.example.org") && is_host("example.com/a/b"));
        for file in ["install.sh", "a/b.org", "references/a.dev", "v1.2.net.md", "example.com"] {
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

    // SPEC 2.14
    #[test]
    fn other_skills_of_the_folder_are_known() {
        assert!(is_sibling("../csv/SKILL.md"));
        assert!(!is_sibling("../../SKILL.md") && !is_sibling("../csv/a.md") && !is_sibling("csv/SKILL.md"));
    }
}
