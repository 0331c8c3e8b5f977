//! Links of a directory of skills to single skills elsewhere, the layout that npm's `skills`, nix and dotfiles write:
//! `.claude/skills/x -> ../../.agents/skills/x`.

use std::fs;
use std::path::{Path, PathBuf};

use super::layer::LayerSource;
use super::roots::expand;

/// The maximum number of entries of a directory whose links are followed.
const MAX_ENTRIES: usize = 10_000;

/// The sources together with the linked skills.
pub(super) struct Linked {
    /// The sources. A skill that a link of a trusted directory leads to is a layer directly below that directory.
    pub(super) sources: Vec<LayerSource>,
    /// The paths of links whose skills are read: as such a layer, or in another directory.
    pub(super) links: Vec<String>,
}

/// Finds the skills behind links that lead out of their directories.
pub(super) fn follow(sources: &[LayerSource]) -> Linked {
    let mut linked = Linked { sources: Vec::new(), links: Vec::new() };
    let mut roots: Vec<PathBuf> = sources.iter().filter_map(real).collect();
    for source in sources {
        if let LayerSource::Directory(path, trust) = source
            && let Some(own) = real(source)
        {
            for (link, target) in links(&expand(path), &own) {
                let is_read = roots.iter().any(|root| target.starts_with(root));
                if !is_read && !trust.may_run() {
                    continue;
                }
                if !is_read {
                    linked.sources.push(LayerSource::Directory(target.clone(), *trust));
                    roots.push(target);
                }
                linked.links.push(path.join(link).to_string_lossy().into_owned());
            }
        }
        linked.sources.push(source.clone());
    }
    linked
}

fn real(source: &LayerSource) -> Option<PathBuf> {
    let LayerSource::Directory(path, _) = source else { return None };
    fs::canonicalize(expand(path)).ok()
}

/// Returns the names of the links that lead out of a directory to a skill, sorted, with the real paths of the skills.
fn links(directory: &Path, own: &Path) -> Vec<(String, PathBuf)> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.take(MAX_ENTRIES).flatten() {
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        let Some(name) = entry.file_name().to_str().filter(|_| is_link).map(str::to_owned) else { continue };
        let Ok(target) = fs::canonicalize(entry.path()) else { continue };
        if !target.starts_with(own) && target.join("SKILL.md").is_file() {
            found.push((name, target));
        }
    }
    found.sort();
    found
}
