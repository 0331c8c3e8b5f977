//! Material with answers that lies beside the project: found when present, skipped loudly when not.
#![allow(clippy::print_stderr, reason = "what is skipped is said")]
#![expect(clippy::print_stderr, reason = "what is skipped is said")]

use std::path::{Path, PathBuf};

/// Returns a path of the shared material, or tells that the test is skipped.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SKILLS_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    let found = root.join(path);
    if found.exists() {
        return Some(found);
    }
    eprintln!(
        "SKIPPED: `{path}` is not beside the project; set SKILLS_SHARED to the directory that holds it"
    );
    None
}
