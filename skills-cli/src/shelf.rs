//! The skills a command works on, and where they lie: in the program, or in directories that were read.

use std::path::PathBuf;

use skills_registry::{NotFound, Registry, Skill};

/// Returns the directory of a skill on disk; nothing for one that is part of the program.
pub(crate) type Directory<'a> = &'a dyn Fn(Skill<'_>) -> Option<PathBuf>;

/// Tells whether the host has a capability (SPEC 2.9).
pub(crate) type Grants<'a> = &'a dyn Fn(&str) -> bool;

/// Skills, and what a command must know of them besides.
#[derive(Clone, Copy)]
pub(crate) struct Shelf<'a> {
    registry: &'a Registry,
    directory: Directory<'a>,
    grants: Grants<'a>,
}

impl<'a> Shelf<'a> {
    pub(crate) fn new(registry: &'a Registry, directory: Directory<'a>, grants: Grants<'a>) -> Self {
        Self { registry, directory, grants }
    }

    /// Returns the skills as the registry has them.
    pub(crate) fn registry(&self) -> &'a Registry {
        self.registry
    }

    /// Returns what decides about capabilities.
    pub(crate) fn grants(&self) -> Grants<'a> {
        self.grants
    }

    /// Tells whether a skill asks for a capability that is refused (SPEC 2.9).
    pub(crate) fn is_gated(&self, skill: Skill<'_>) -> bool {
        skill.is_gated(self.grants)
    }

    /// Returns the skills that are not gated, sorted by name.
    pub(crate) fn granted(&self) -> impl Iterator<Item = Skill<'a>> {
        self.registry.iter().filter(|skill| !self.is_gated(*skill))
    }

    /// Finds a skill by its exact name; a gated one is as unknown as one that does not exist (SPEC 2.9).
    ///
    /// # Errors
    /// No skill has the name.
    pub(crate) fn find(&self, name: &str) -> Result<Skill<'a>, NotFound> {
        let found = self.registry.get(name).filter(|skill| !self.is_gated(*skill));
        found.ok_or_else(|| self.registry.not_found(name, self.grants))
    }

    /// Returns the directory of a skill, unless it is part of the program.
    pub(crate) fn directory(&self, skill: Skill<'_>) -> Option<PathBuf> {
        (self.directory)(skill)
    }

    /// Returns the directory as the records show it: `skill://NAME` for a skill of the program (SPEC 11.1).
    pub(crate) fn path(&self, skill: Skill<'_>) -> String {
        match self.directory(skill) {
            Some(directory) => directory.to_string_lossy().into_owned(),
            None => format!("skill://{}", skill.name()),
        }
    }
}
