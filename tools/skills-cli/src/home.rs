//! Paths as arguments name them: a leading `~/` is the home directory.

use std::path::{Path, PathBuf};

use skills_registry::expand_home;

/// Returns the path that is meant.
pub(crate) fn path(given: &Path) -> PathBuf {
    expand_home(given, std::env::home_dir().as_deref())
}
