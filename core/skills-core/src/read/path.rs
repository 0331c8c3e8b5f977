//! Paths below the root, as texts with `/`, and the special names in them.

/// The file with the patterns of excluded paths.
pub(super) const SKILLIGNORE: &str = ".skillignore";

/// The manifest of a Cargo package.
pub const CARGO_MANIFEST: &str = "Cargo.toml";

/// The options of a directory of skills.
pub const SETTINGS_FILE: &str = "skills.toml";

/// The list of the skills that were added from other projects, and of the servers whose tools were pinned.
pub const LOCK_FILE: &str = "skills.lock";

/// The files that make a directory a skill.
pub(super) const ENTRIES: [&str; 2] = ["SKILL.md", "skill.json"];

/// The files that later stages read as text.
pub(super) const TEXTS: [&str; 3] = ["SKILL.md", "prompt.md", "skill.json"];

/// The configuration of a skill for Codex, which is always read, because it may hide the skill.
pub(crate) const OPENAI: &str = "agents/openai.yaml";

/// Joins a path below the root (empty for the root) and a name.
pub(super) fn join(above: &str, name: &str) -> String {
    let mut path = String::with_capacity(above.len() + 1 + name.len());
    path.push_str(above);
    if !above.is_empty() {
        path.push('/');
    }
    path.push_str(name);
    path
}

/// Finds the file name from which a name differs only in letter case.
pub(super) fn misspelt(name: &str, names: &[&'static str]) -> Option<&'static str> {
    names.iter().copied().find(|right| name != *right && name.eq_ignore_ascii_case(right))
}
