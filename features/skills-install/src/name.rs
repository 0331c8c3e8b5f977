//! Checks which names of skills and paths of files may be written below a target.

use skills_text::{is_exact_path, is_hidden};

/// The longest allowed name in bytes.
const LONGEST_PATH: usize = 1024;

/// Returns `true` if the name of a skill is valid for a directory: a single path component that is not
/// hidden.
///
/// Hidden names are reserved for the installer.
pub(super) fn is_safe_name(name: &str) -> bool {
    is_safe_path(name) && !name.contains('/') && !name.starts_with('.')
}

/// Returns `true` if a path stays below the skill, and is safe to show to terminals and models.
pub(super) fn is_safe_path(path: &str) -> bool {
    path.len() <= LONGEST_PATH && is_exact_path(path) && !path.contains(is_hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_below_the_target() {
        // SPEC 12.3
        for path in ["a", "a/b.c", ".a/b", "é/ü", "..a", "a b"] {
            assert!(is_safe_path(path), "{path}");
        }
        for path in [
            "",
            "/a",
            "a/",
            "a//b",
            ".",
            "..",
            "a/../b",
            "./a",
            "a\\b",
            "a\0",
            "a\u{1b}[2J",
            "a\u{202e}b",
            "a\nb",
            &"a/".repeat(2000),
        ] {
            assert!(!is_safe_path(path), "{path}");
        }
        assert!(is_safe_name("a-b_c") && is_safe_name("constructor"));
        for name in ["", ".", "..", ".a", "a/b", "/", "a\\b", "a\u{9b}", "a\u{e0041}"] {
            assert!(!is_safe_name(name), "{name}");
        }
    }
}
