//! Finds the skills of a repository that npm's `skills` copied from other projects, by the lock files that it writes.
//! Their authors are elsewhere, and the next update replaces each change. Used by `walk`.

use std::collections::HashSet;
use std::path::Path;

use skills_text::{is_exact_path, path_below};

use super::junk;
use super::listing::{Listing, find};
use super::path::CARGO_MANIFEST;
use super::project_file::read_text_below;
use crate::report::Report;
use crate::span::SourceMap;
use crate::tree::{Node, json};

/// The lock file of a project. The copies lie in hidden directories, such as `.agents/skills`.
const OF_PROJECT: &str = "skills-lock.json";

/// The lock file of a person. The copies lie in the folder `skills` beside it.
const OF_PERSON: &str = ".skill-lock.json";

/// The largest lock file that is read, in bytes.
const MAX_LOCK_SIZE: u64 = 16 << 20;

/// The lock files found so far.
#[derive(Debug, Default)]
pub(super) struct Copies(Vec<Lock>);

#[derive(Debug)]
struct Lock {
    is_of_project: bool,
    /// The path of its directory below the root.
    directory: String,
    /// The names of the directories of the copies.
    names: HashSet<String>,
}

impl Copies {
    /// Reads the lock files of a directory with a path below the root.
    pub(super) fn note(&mut self, root: &Path, directory: &str, listing: &Listing) {
        let has = |name| find(&listing.entries, name).is_some();
        // A build reads the folder `skills` of a crate.
        let of_person = Some(OF_PERSON).filter(|name| has(name) && !has(CARGO_MANIFEST));
        for name in Some(OF_PROJECT).filter(|name| has(name)).into_iter().chain(of_person) {
            let (place, is_of_project) = (root.join(directory), name == OF_PROJECT);
            let Ok(text) = read_text_below(root, &place.join(name), MAX_LOCK_SIZE) else { continue };
            let names = copied(text, Some(&*place).filter(|_| is_of_project));
            self.0.push(Lock { is_of_project, directory: directory.to_owned(), names });
        }
    }

    /// Returns `true` if the skill with a path below the root is a copy: a lock file has its name, and it lies where npm's
    /// `skills` writes.
    pub(super) fn has(&self, path: &str) -> bool {
        let (above, name) = path.rsplit_once('/').unwrap_or_default();
        self.0.iter().any(|lock| {
            let Some(folder) = path_below(above, &lock.directory) else { return false };
            let is_written = match lock.is_of_project {
                true => path.split('/').any(junk::is_hidden),
                false => folder == "skills",
            };
            is_written && lock.names.contains(name)
        })
    }
}

/// Returns the names of a lock file whose sources are elsewhere. A skill with a source in the project itself, which its
/// author installed, is not a copy.
fn copied(text: String, project: Option<&Path>) -> HashSet<String> {
    let mut sources = SourceMap::new("");
    let file = sources.add(OF_PROJECT.to_owned(), text, None);
    let tree = json::parse(sources.file(file), &mut Report::default());
    let skills = tree.as_ref().and_then(|tree| tree.get("skills")?.as_map()).unwrap_or_default();
    let mut names = HashSet::new();
    for skill in skills {
        let text = |key| skill.value.get(key).and_then(Node::as_string);
        let source = text("skillPath").filter(|path| is_exact_path(path));
        let own = project.zip(source).filter(|(project, path)| project.join(path).symlink_metadata().is_ok());
        if text("source").is_some() && text("sourceType") != Some("local") && own.is_none() {
            names.insert(skill.key.clone());
        }
    }
    names
}
