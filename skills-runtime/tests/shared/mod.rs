//! Where the published designs lie that this project merges: tests compare texts with them where they are at hand.
#![allow(clippy::print_stderr, reason = "what is skipped is said")]

use std::path::{Path, PathBuf};

/// Reads the published text that contains a phrase; nothing, and a line printed, when the texts are not at hand.
pub(crate) fn seed_with(phrase: &str) -> Option<String> {
    let beside =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1).map(|directory| directory.join("shared"));
    let places = std::env::var_os("SKILLS_SHARED").map(PathBuf::from).into_iter().chain(beside);
    let seeds = places.map(|place| place.join("seeds")).find(|seeds| seeds.is_dir());
    let files = seeds.and_then(|seeds| std::fs::read_dir(seeds).ok());
    let mut texts =
        files.into_iter().flatten().filter_map(|file| std::fs::read_to_string(file.ok()?.path()).ok());
    let found = texts.find(|text| text.contains(phrase));
    if found.is_none() {
        eprintln!("SKIPPED: no published text with `{phrase}`");
    }
    found
}
