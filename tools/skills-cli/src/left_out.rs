//! Reports the skills below a directory that `list` leaves out. They are found by the same search as in
//! `check`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use skills_core::read::{DirectoryKind, PassedOver, ReadOptions, read};
use skills_core::report::Report;
use skills_load::Layers;
use skills_report::tally;

use crate::source::by_default;
use skills_commands::arguments::expand_path;
use skills_commands::terminal;

/// Prints a note for each directory that has skills which are not listed: in hidden directories, below
/// `node_modules`, or excluded by a `.skillignore`.
pub(crate) fn print_note(given: &[PathBuf], layers: &Layers) {
    if terminal::is_quiet() {
        return;
    }
    let directories = if given.is_empty() { by_default() } else { given.to_vec() };
    let listed: BTreeSet<PathBuf> = layers
        .all()
        .chain(layers.shadowed().map(|pair| pair.lost))
        .filter_map(|found| found.directory())
        .collect();
    for directory in directories.iter().filter(|directory| expand_path(directory).is_dir()) {
        let found = left_out(directory, &listed);
        if let Some(line) = tally::passed_over(&found, "list") {
            terminal::note(format_args!("in {}, {line}", directory.display()));
        }
    }
}

fn left_out(directory: &Path, listed: &BTreeSet<PathBuf>) -> Vec<PassedOver> {
    let real_paths: BTreeSet<PathBuf> = listed.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let options = ReadOptions {
        contents: false,
        scope: DirectoryKind::Repository,
        set_aside: true,
        ..ReadOptions::default()
    };
    let path = expand_path(directory);
    let root = std::path::absolute(&path).unwrap_or(path);
    let tree = read(&root, &directory.to_string_lossy(), &options, &mut Report::default());
    let mut found = tree.passed_over;
    // A linked skill is listed at its real place.
    found.retain(|passed| {
        !std::fs::canonicalize(root.join(&passed.path)).is_ok_and(|real| real_paths.contains(&real))
    });
    let skills = tree.skills.into_iter();
    let hidden = skills.filter(|skill| skill.path.split('/').any(|part| part.starts_with('.')));
    let hidden = hidden.filter(|skill| !listed.contains(&root.join(&skill.path)));
    found.extend(
        hidden.map(|skill| PassedOver { path: skill.path, reason: "in a hidden directory".to_owned() }),
    );
    found
}
