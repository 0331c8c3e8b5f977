//! The lock file `skills.lock`: the source of each skill, and the digests of its files.

mod text;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Files, Source, SourceError};

pub use skills_core::read::LOCK_FILE;

/// The skills that came from elsewhere, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    skills: BTreeMap<String, Locked>,
}

/// One skill of the lock file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    /// The name of the skill.
    pub name: String,
    /// Its directory, relative to the project.
    pub directory: String,
    /// The source.
    pub source: Source,
    /// The commit, or the version of the package. `None` for a directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The path of the skill in the source. Empty if the source is the skill.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// The license of the skill, or else of the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// The permissions that the skill requests, as JSON. `None` if it does not list any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<String>,
    /// The files that can be executed, and the MCP servers that the skill declares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    /// The files that contain hidden characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<String>,
    /// The files.
    pub files: Files,
}

impl Lock {
    /// Parses the text of a lock file.
    ///
    /// # Errors
    /// Returns [`SourceError::Lock`] if the text is damaged, or a path in it leads out of the project.
    pub fn parse(text: &str) -> Result<Self, SourceError> {
        text::parse(text).map_err(SourceError::Lock)
    }

    /// Returns the text of the lock file.
    pub fn to_text(&self) -> String {
        text::print(self)
    }

    /// Returns the skills, sorted by name.
    pub fn skills(&self) -> impl ExactSizeIterator<Item = &Locked> {
        self.skills.values()
    }

    /// Finds a skill.
    pub fn get(&self, name: &str) -> Option<&Locked> {
        self.skills.get(name)
    }

    /// Returns the skills with these names, or all if no name is given.
    ///
    /// # Errors
    /// Returns [`SourceError::Missing`] for a name that is not locked.
    pub fn select(&self, names: &[String]) -> Result<Vec<&Locked>, SourceError> {
        if names.is_empty() {
            return Ok(self.skills().collect());
        }
        let find = |name: &String| {
            self.get(name).ok_or_else(|| {
                let near = skills_text::nearest(name, self.skills().map(|locked| locked.name.as_str()));
                let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                SourceError::Missing(format!("{LOCK_FILE} has no skill `{name}`{near}"))
            })
        };
        names.iter().map(find).collect()
    }

    pub(crate) fn insert(&mut self, locked: Locked) {
        self.skills.insert(locked.name.clone(), locked);
    }

    pub(crate) fn take(&mut self, name: &str) {
        self.skills.remove(name);
    }
}

impl Locked {
    /// Returns the directory that contains the skill's directory.
    pub(crate) fn folder(&self) -> &str {
        self.directory.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Returns the source with the revision, for people.
    pub fn origin(&self) -> String {
        match &self.revision {
            Some(revision) => format!("{} ({revision})", self.source),
            None => self.source.to_string(),
        }
    }
}
