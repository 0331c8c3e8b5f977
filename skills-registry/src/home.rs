//! A leading `~` of a path becomes the home directory (SPEC 1.1): the shells call it with paths of the user.

use std::path::{Path, PathBuf};

/// Puts the home directory in the place of a leading `~` (SPEC 1.1); shells call it, since only they read the
/// environment. A path without it, or without a known home, stays as it is.
///
/// ```
/// use std::path::Path;
/// use skills_registry::expand_home;
///
/// let home = Some(Path::new("/home/ada"));
/// assert_eq!(expand_home(Path::new("~/skills"), home), Path::new("/home/ada/skills"));
/// assert_eq!(expand_home(Path::new("~ada/skills"), home), Path::new("~ada/skills"));
/// assert_eq!(expand_home(Path::new("~/skills"), None), Path::new("~/skills"));
/// ```
pub fn expand_home(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) if rest.as_os_str().is_empty() => home.to_owned(),
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 1.1
    #[test]
    fn only_a_leading_tilde_is_the_home_directory() {
        let home = Some(Path::new("/home/ada"));
        for (path, expanded) in [("~", "/home/ada"), ("~/", "/home/ada"), ("~/a/b", "/home/ada/a/b")] {
            assert_eq!(expand_home(Path::new(path), home), Path::new(expanded), "{path}");
        }
        for path in ["a/~/b", "./~/b", "~b", "/~", ""] {
            assert_eq!(expand_home(Path::new(path), home), Path::new(path), "{path}");
        }
    }
}
