//! Paths below a directory, as texts: which are, and what follows the directory (SPEC 12.3). No disk is asked.

use std::path::{Component, Path};

/// Returns the rest of a path behind a directory that it lies in: empty for the directory itself. Below the directory `""`
/// lies everything.
///
/// ```
/// use skills_registry::path_below;
/// assert_eq!(path_below("a/b/c", "a"), Some("b/c"));
/// assert_eq!((path_below("a", "a"), path_below("a", "")), (Some(""), Some("a")));
/// assert_eq!(path_below("a-b", "a"), None);
/// ```
pub fn path_below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(directory)?;
    if directory.is_empty() || rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Tells whether a path that a program wrote lies below a directory, and is written in the one way there is: parts joined by
/// `/`, none of them empty, `.` or `..`, or anything but a name on this system; without `\` and NUL.
///
/// ```
/// use skills_registry::is_exact_path;
/// assert!(is_exact_path("a/.b/..c"));
/// for path in ["", "/a", "a/", "a//b", "./a", "a/../b", "a\\b", "a\0"] {
///     assert!(!is_exact_path(path), "{path}");
/// }
/// ```
pub fn is_exact_path(path: &str) -> bool {
    let is_name = |part: &str| {
        let mut components = Path::new(part).components();
        matches!((components.next(), components.next()), (Some(Component::Normal(only)), None) if only == part)
    };
    !path.contains(['\\', '\0']) && path.split('/').all(is_name)
}

/// Says why a path that a person wrote does not lead to a file of the skill that it is written in. It may have `.` and doubled slashes.
///
/// ```
/// use skills_registry::path_fault;
/// assert_eq!(path_fault("./bin//run"), None);
/// assert_eq!(path_fault("C:\\run"), Some("is an absolute path"));
/// assert_eq!(path_fault("c:run"), Some("is an absolute path"));
/// assert!(path_fault(" ").is_some() && path_fault("/a").is_some() && path_fault("a/../b").is_some());
/// ```
pub fn path_fault(path: &str) -> Option<&'static str> {
    if path.trim().is_empty() {
        Some("is empty")
    } else if path.starts_with(['/', '\\']) || has_drive(path) {
        Some("is an absolute path")
    } else if leads_up(path) {
        Some("leaves the skill by `..`")
    } else {
        None
    }
}

/// Tells whether a path begins with a drive of Windows, which is a way out of any directory there.
fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// Tells whether a part of a path is `..`, whichever slash stands between its parts.
pub fn leads_up(path: &str) -> bool {
    path.split(['/', '\\']).any(|part| part == "..")
}

/// Returns the names that a path leads through.
///
/// ```
/// assert_eq!(skills_registry::path_names("./a//b/"), ["a", "b"]);
/// ```
pub fn path_names(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".").collect()
}
