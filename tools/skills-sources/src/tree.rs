//! The current skills in the folders of a project, read in the same way as in a build.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use skills_core::read::{File, ReadOptions, read};
use skills_core::report::Report;

use crate::files::MAX_FILE;
use crate::{FileState, Files, Project};

/// The skills of some folders by their directories, relative to the project.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    skills: BTreeMap<String, Files>,
}

impl Tree {
    /// Reads folders. The files of a skill are those that a build would bundle (SPEC 1.3). A folder that leads out of the
    /// project has no skills.
    pub(crate) fn read(project: &Project, folders: &BTreeSet<&str>) -> Self {
        let mut tree = Self::default();
        for folder in folders {
            let path = project.path().join(folder);
            if path.canonicalize().is_ok_and(|real| real.starts_with(project.path())) {
                tree.add(&path, folder);
            }
        }
        tree
    }

    /// Reads a directory of skills outside of the project; the directories of the skills are relative to it.
    pub(crate) fn of_source(directory: &Path) -> Self {
        let mut tree = Self::default();
        tree.add(directory, "");
        tree
    }

    /// Adds the skills below a directory. In the tree, the directory has the name `folder`.
    fn add(&mut self, path: &Path, folder: &str) {
        // The limits of the project apply only when skills are added, and whether git ignores a file does not matter
        // for a comparison. A file over these limits counts as missing.
        let options = ReadOptions {
            git: false,
            file_cap: Some(MAX_FILE),
            skill_cap: Some(MAX_FILE),
            bundle_cap: Some(4 * MAX_FILE),
            ..ReadOptions::default()
        };
        let found = read(path, folder, &options, &mut Report::default());
        skills_text::work::count(found.skills.len());
        for skill in &found.skills {
            let state = |file: &File| FileState::new(file.bytes(&found.sources), file.executable);
            let states = skill.files.iter().map(|file| (file.path.clone(), state(file)));
            let directory = match (folder.is_empty(), skill.path.is_empty()) {
                (true, _) => skill.path.clone(),
                (false, true) => folder.to_owned(),
                (false, false) => format!("{folder}/{}", skill.path),
            };
            self.skills.insert(directory, Files(states.collect()));
        }
    }

    /// Returns the files of the skill in a directory.
    pub fn get(&self, directory: &str) -> Option<&Files> {
        self.skills.get(directory)
    }

    /// Returns the directory of another skill, if the last part of that directory is the given name.
    pub(crate) fn named(&self, name: &str, except: &str) -> Option<&str> {
        let is_named =
            |directory: &&String| directory.rsplit('/').next() == Some(name) && *directory != except;
        self.skills.keys().find(is_named).map(String::as_str)
    }
}
