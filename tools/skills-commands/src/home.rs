//! Replaces a leading `~/` in the path of an argument by the home directory.

use std::path::{Path, PathBuf};

use skills_text::expand_home;

/// Returns the path with a leading `~/` replaced.
pub fn path(given: &Path) -> PathBuf {
    expand_home(given, std::env::home_dir().as_deref())
}
