//! Finds and reads the conformance files in the directory that `SKILLS_FIELD_DIR` names.
#![allow(clippy::panic, dead_code, reason = "test support; each test uses a part of it")]

use std::path::{Path, PathBuf};

/// Returns the directory that `SKILLS_FIELD_DIR` names.
pub(crate) fn root() -> PathBuf {
    test_bed::field("")
}

pub(crate) fn json(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Returns all `.json` files in a directory, sorted. Includes subdirectories if `deep`.
pub(crate) fn files(dir: &Path, deep: bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display())) {
        let path = entry.expect("readable directory").path();
        if path.is_dir() && deep {
            found.extend(files(&path, true));
        } else if path.extension().is_some_and(|ext| ext == "json") {
            found.push(path);
        }
    }
    found.sort();
    found
}
