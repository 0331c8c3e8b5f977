//! Compares and completes paths as text: whether a path lies below a directory, the part after the directory, and a `~`
//! that a user typed. Does not access the disk.

use std::path::{Component, Path, PathBuf};

/// Returns the part of a path after a directory that contains it: empty for the directory itself. Every path
/// lies below the directory `""`.
///
/// ```
/// use skills_text::path_below;
/// assert_eq!(path_below("a/b/c", "a"), Some("b/c"));
/// assert_eq!((path_below("a", "a"), path_below("a", "")), (Some(""), Some("a")));
/// assert_eq!(path_below("a-b", "a"), None);
/// ```
pub fn path_below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(directory)?;
    if directory.is_empty() || rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Returns `true` if a path written by a program lies below a directory and is in canonical form: parts
/// joined by `/`, none of them empty, `.`, `..`, or invalid as a file name on this system, and without `\`
/// and NUL.
///
/// ```
/// use skills_text::is_exact_path;
/// assert!(is_exact_path("a/.b/..c"));
/// for path in ["", "/a", "a/", "a//b", "./a", "a/../b", "a\\b", "a\0"] {
///     assert!(!is_exact_path(path), "{path}");
/// }
/// ```
pub fn is_exact_path(path: &str) -> bool {
    !path.contains(['\\', '\0']) && path.split('/').all(is_file_name)
}

/// Returns `true` if a text is the name of a file on this system.
fn is_file_name(part: &str) -> bool {
    let mut components = Path::new(part).components();
    matches!((components.next(), components.next()), (Some(Component::Normal(only)), None) if only == part)
}

/// Returns the reason why a path written by a person does not lead to a file inside its skill. The path may
/// have `.` and doubled slashes.
///
/// ```
/// use skills_text::path_fault;
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

/// Returns `true` if a path begins with a Windows drive, which would leave any directory.
fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// Returns `true` if a part of a path is `..`, with either slash as separator.
pub fn leads_up(path: &str) -> bool {
    path.split(['/', '\\']).any(|part| part == "..")
}

/// Returns the components of a path.
///
/// ```
/// assert_eq!(skills_text::path_names("./a//b/"), ["a", "b"]);
/// ```
pub fn path_names(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".").collect()
}

/// Replaces a leading `~` with the home directory. A path without `~` stays unchanged. If no home directory
/// is known, every path stays unchanged. Only programs and commands call this, because libraries do not read
/// the environment.
///
/// ```
/// use std::path::Path;
/// use skills_text::expand_home;
///
/// let home = Some(Path::new("/home/ada"));
/// for (path, expanded) in [("~", "/home/ada"), ("~/", "/home/ada"), ("~/a/b", "/home/ada/a/b")] {
///     assert_eq!(expand_home(Path::new(path), home), Path::new(expanded), "{path}");
/// }
/// for path in ["~ada/skills", "a/~/b", "./~/b", "/~", ""] {
///     assert_eq!(expand_home(Path::new(path), home), Path::new(path), "{path}");
/// }
/// assert_eq!(expand_home(Path::new("~/skills"), None), Path::new("~/skills"));
/// ```
pub fn expand_home(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) if rest.as_os_str().is_empty() => home.to_owned(),
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}
