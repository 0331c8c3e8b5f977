//! The skills of directories, as a source of skills for the shared commands.

use skills_commands::skill_source::{SkillEntry, SkillSource};
use skills_load::{Found, Layers};
use skills_registry::{NotFound, Prompt};
use skills_runtime::capabilities::Capabilities;

/// The skills that were read from directories. The command is not a host, so it grants no capability.
pub(crate) struct OnDisk<'a>(pub(crate) &'a Layers);

/// Returns a skill as the shared commands use it.
pub(crate) fn entry(found: Found<'_>) -> SkillEntry<'_> {
    let (skill, gated, trust) = (found.skill, found.gated, found.trust);
    SkillEntry { skill, directory: found.directory(), gated, shadowed_by: None, trust }
}

impl SkillSource for OnDisk<'_> {
    fn all(&self) -> Vec<SkillEntry<'_>> {
        self.0.all().map(entry).collect()
    }

    fn offered(&self) -> Vec<SkillEntry<'_>> {
        self.0.winners().map(entry).collect()
    }

    fn shadowed(&self) -> Vec<SkillEntry<'_>> {
        let pairs = self.0.shadowed();
        pairs
            .map(|pair| {
                let winner = pair.won.skill.base().to_owned();
                SkillEntry { shadowed_by: Some(winner), ..entry(pair.lost) }
            })
            .collect()
    }

    fn find(&self, name: &str) -> Result<SkillEntry<'_>, NotFound> {
        let found = self.0.locate(name);
        found.map(entry).ok_or_else(|| self.0.not_found(name))
    }

    fn withheld(&self, name: &str) -> Option<SkillEntry<'_>> {
        self.0.withheld(name).map(entry)
    }

    fn is_untrusted(&self, name: &str) -> bool {
        self.0.untrusted(name).is_some()
    }

    fn untrusted(&self, name: &str) -> Option<String> {
        let untrusted = self.0.untrusted(name).or_else(|| self.0.outranked(name));
        untrusted.map(|untrusted| untrusted.to_string())
    }

    fn capabilities(&self) -> Option<&dyn Capabilities> {
        None
    }

    fn prompt(&self, prompt: Prompt<'_>) -> String {
        self.0.prompt_with(&prompt)
    }
}
