//! The skills of directories, as a source of skills for the shared commands.

use std::collections::BTreeMap;
use std::path::PathBuf;

use skills_commands::skill_source::{SkillEntry, SkillSource};
use skills_load::{Found, Layers};
use skills_registry::{NotFound, Prompt};
use skills_runtime::capabilities::Capabilities;
use skills_runtime::listing::Origin;
use skills_sources::{Locked, origins};

/// The skills that were read from directories. The command is not a host, so it grants no capability.
pub(crate) struct OnDisk<'a> {
    layers: &'a Layers,
    /// The directories of skills that came from other projects.
    origins: BTreeMap<PathBuf, Origin>,
}

impl<'a> OnDisk<'a> {
    /// Reads the lock files of the skills.
    pub(crate) fn new(layers: &'a Layers) -> Self {
        let directories = layers.all().chain(layers.shadowed().map(|pair| pair.lost));
        let locked = origins(directories.filter_map(|found| found.directory()));
        let origin = |locked: Locked| Origin { source: locked.source.to_string(), revision: locked.revision };
        let origins = locked.into_iter().map(|(directory, locked)| (directory, origin(locked))).collect();
        Self { layers, origins }
    }

    fn entry<'s>(&self, found: Found<'s>) -> SkillEntry<'s> {
        let (skill, gated, is_untrusted) = (found.skill, found.gated, !found.trust.may_run());
        let directory = found.directory();
        let origin = directory.as_ref().and_then(|directory| self.origins.get(directory)).cloned();
        SkillEntry { skill, directory, gated, shadowed_by: None, is_untrusted, origin }
    }
}

impl SkillSource for OnDisk<'_> {
    fn all(&self) -> Vec<SkillEntry<'_>> {
        self.layers.all().map(|found| self.entry(found)).collect()
    }

    fn offered(&self) -> Vec<SkillEntry<'_>> {
        self.layers.winners().map(|found| self.entry(found)).collect()
    }

    fn shadowed(&self) -> Vec<SkillEntry<'_>> {
        let pairs = self.layers.shadowed();
        pairs
            .map(|pair| {
                let winner = pair.won.skill.base().to_owned();
                SkillEntry { shadowed_by: Some(winner), ..self.entry(pair.lost) }
            })
            .collect()
    }

    fn find(&self, name: &str) -> Result<SkillEntry<'_>, NotFound> {
        let found = self.layers.locate(name);
        found.map(|found| self.entry(found)).ok_or_else(|| self.layers.not_found(name))
    }

    fn withheld(&self, name: &str) -> Option<SkillEntry<'_>> {
        self.layers.withheld(name).map(|found| self.entry(found))
    }

    fn is_untrusted(&self, name: &str) -> bool {
        self.layers.untrusted(name).is_some()
    }

    fn capabilities(&self) -> Option<&dyn Capabilities> {
        None
    }

    fn prompt(&self, prompt: Prompt<'_>) -> String {
        self.layers.prompt_with(&prompt)
    }
}
