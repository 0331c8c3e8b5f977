//! Expands a leading `~` in paths that a user types.

use std::path::{Path, PathBuf};

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
