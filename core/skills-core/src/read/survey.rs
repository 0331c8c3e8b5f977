//! Groups the skills of a repository into folders of skills.

use std::path::Path;

use skills_text::{Places, sort};

use super::junk;
use super::path::{CARGO_MANIFEST, join};
use super::walk::Discovery;

/// Assigns every skill to the folder with which a client loads it, and sorts the skills by folder.
///
/// The folder is the topmost directory above the skill that directly contains a skill. The search for it ends
/// at a directory named `skills`, at a hidden directory and at another skill. A directory `skills` beside a
/// `Cargo.toml` is the bundle of that crate, including all folders in it.
pub(super) fn assign_folders(discovery: &mut Discovery, root: &Path) {
    let (mut skills, mut holders, mut crates) = (Places::default(), Places::default(), Places::default());
    for (at, skill) in discovery.skills.iter().enumerate() {
        skills.insert(skill.path.clone(), at);
        if !skill.path.is_empty() {
            holders.insert(above(&skill.path).to_owned(), at);
        }
    }
    for (at, path) in discovery.crates.iter().enumerate() {
        let above = path.trim_end_matches(CARGO_MANIFEST).trim_end_matches('/');
        crates.insert(join(above, "skills"), at);
    }
    if root.parent().is_some_and(|above| root.ends_with("skills") && above.join(CARGO_MANIFEST).is_file()) {
        crates.insert(String::new(), 0);
    }
    let folders: Vec<String> = discovery
        .skills
        .iter()
        .map(|skill| folder(&skill.path, &skills, &holders, &crates).to_owned())
        .collect();
    for (skill, folder) in discovery.skills.iter_mut().zip(folders) {
        skill.in_crate = crates.get(&folder).is_some();
        skill.folder = folder;
    }
    sort(&mut discovery.skills, &|a, b| (&a.folder, &a.path).cmp(&(&b.folder, &b.path)));
}

fn folder<'p>(path: &'p str, skills: &Places, holders: &Places, crates: &Places) -> &'p str {
    let mut folder = above(path);
    let mut at = path;
    while !at.is_empty() {
        at = above(at);
        if crates.get(at).is_some() {
            return at;
        }
        if skills.get(at).is_some() {
            break;
        }
        if holders.get(at).is_some() {
            folder = at;
        }
        let name = at.rsplit('/').next().unwrap_or(at);
        if name == "skills" || junk::is_hidden(name) {
            break;
        }
    }
    folder
}

fn above(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(above, _)| above)
}
