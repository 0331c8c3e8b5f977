//! Paths below the root, as texts with `/`, and the one name that has a meaning there.

/// The file that says what is left out (SPEC 1.5).
pub(super) const SKILLIGNORE: &str = ".skillignore";

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
