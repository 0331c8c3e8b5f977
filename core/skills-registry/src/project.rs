//! Projects: instructions for a model, with the names of the skills to use.

use std::path::{Path, PathBuf};

/// A project: instructions for a model while the user works on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    name: String,
    instructions: String,
    skills: Vec<String>,
    path: PathBuf,
}

impl Project {
    /// Creates a project that was read from a directory.
    pub fn new(name: String, instructions: String, skills: Vec<String>, path: PathBuf) -> Self {
        Self { name, instructions, skills, path }
    }

    /// Returns the name of the project, which is the name of its directory.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the instructions: the trimmed text of `ROLE.md` after its frontmatter. Never empty.
    pub fn instructions(&self) -> &str {
        &self.instructions
    }

    /// Returns the names of the skills that the project uses, in file order. They are not checked for
    /// existence.
    pub fn skills(&self) -> impl ExactSizeIterator<Item = &str> {
        self.skills.iter().map(String::as_str)
    }

    /// Returns the absolute path of its directory.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
