//! The list of skills that a server offers, with the files of each.

use std::sync::Arc;

use skills_sign::{Contents, Digest};

/// The skills of a server.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RemoteList {
    /// The skills, with unique names.
    pub skills: Vec<Arc<RemoteSkill>>,
    /// The reasons why other skills are refused.
    pub refused: Vec<String>,
    /// The reason why the server cannot be reached. Then the skills come from a cache.
    pub offline: Option<String>,
}

/// A skill in the list of a server.
#[derive(Clone, Debug)]
pub struct RemoteSkill {
    /// The URI of its `SKILL.md`.
    pub uri: String,
    /// Its name, unique in the list.
    pub name: String,
    /// Its frontmatter as a JSON object.
    pub frontmatter: String,
    /// All its files.
    pub files: Vec<RemoteFile>,
}

/// A file of a skill in the list of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteFile {
    /// The path below the skill, with `/`.
    pub path: String,
    /// The digest of the bytes.
    pub sha256: Digest,
    /// The size in bytes.
    pub size: u32,
}

impl RemoteSkill {
    /// Returns the paths and digests of all files. An approval is bound to them.
    pub fn contents(&self) -> Contents {
        Contents::from_files(self.files.iter().map(|file| (file.path.clone(), file.sha256)))
    }

    pub(crate) fn file(&self, path: &str) -> Option<&RemoteFile> {
        self.files.iter().find(|file| file.path == path)
    }
}
