//! Paths below the root, as texts with `/`, and the names that have a meaning there.

/// The file that says what is left out (SPEC 1.5).
pub(super) const SKILLIGNORE: &str = ".skillignore";

/// The file at which `cargo package` leaves a directory out.
pub(super) const MANIFEST: &str = "Cargo.toml";

/// The files that make a directory a skill.
pub(super) const ENTRIES: [&str; 2] = ["SKILL.md", "skill.json"];

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

/// Finds the file name that a name differs from in letter case only.
pub(super) fn misspelt(name: &str, names: &[&'static str]) -> Option<&'static str> {
    names.iter().copied().find(|right| name != *right && name.eq_ignore_ascii_case(right))
}
