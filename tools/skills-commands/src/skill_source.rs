//! The skills that a command works on and their locations: in the program, or in directories.

use std::path::PathBuf;

use skills_registry::{NotFound, Prompt, Skill};
use skills_runtime::capabilities::{self, Capabilities};
use skills_runtime::listing::Listed;
use skills_runtime::trust::Trust;

/// Returns `true` if the host has a capability.
pub type Grants<'a> = &'a dyn Fn(&str) -> bool;

/// Skills, with the other facts about them that a command needs.
pub trait SkillSource {
    /// Returns all skills that no other skill hides, sorted by name. Includes gated and untrusted skills.
    fn all(&self) -> Vec<SkillEntry<'_>>;

    /// Returns the skills that are listed, found, run and shown to a model, sorted by name.
    fn offered(&self) -> Vec<SkillEntry<'_>>;

    /// Returns the hidden skills, sorted by name.
    fn shadowed(&self) -> Vec<SkillEntry<'_>>;

    /// Finds a skill by its exact name. A gated skill counts as not found.
    fn find(&self, name: &str) -> Result<SkillEntry<'_>, NotFound>;

    /// Finds a skill that is not trusted, and so is only displayed.
    fn withheld(&self, name: &str) -> Option<SkillEntry<'_>>;

    /// Returns `true` if a skill with this name exists and is not trusted.
    fn is_untrusted(&self, name: &str) -> bool;

    /// Returns the text about an untrusted skill with this name, with the command that trusts it. The name may
    /// also belong to a trusted skill: that skill is then used, although the directory of the untrusted skill
    /// has precedence.
    fn untrusted(&self, _name: &str) -> Option<String> {
        None
    }

    /// Returns the capabilities of the runner if the program sets a runner.
    fn capabilities(&self) -> Option<&dyn Capabilities>;

    /// Renders the catalog.
    fn prompt(&self, prompt: Prompt<'_>) -> String;
}

/// One skill.
#[derive(Clone)]
pub struct SkillEntry<'a> {
    pub skill: Skill<'a>,
    /// The directory of the skill, or `None` if it is part of the program.
    pub directory: Option<PathBuf>,
    /// `true` if the skill requires a capability that is refused.
    pub gated: bool,
    /// The path of the skill that hides it.
    pub shadowed_by: Option<String>,
    /// Why the skill is trusted, or that it is not. An untrusted skill of a workspace has no effect.
    pub trust: Trust,
}

impl dyn SkillSource + '_ {
    /// Returns a skill as lists show it. The entry also says whether the skill can be called, by the same
    /// check as `tools`.
    pub fn listed<'s>(&'s self, item: &SkillEntry<'s>) -> Listed<'s> {
        let (skill, is_gated, shadowed_by) = (item.skill, item.gated, item.shadowed_by.clone());
        let (is_untrusted, missing_requires) = (!item.trust.may_run(), item.missing_programs());
        let listed = Listed { is_gated, shadowed_by, is_untrusted, missing_requires, ..Listed::new(skill) };
        if is_gated || listed.shadowed_by.is_some() {
            return listed.backend(Err::<(), _>("nobody can call a skill that is gated or hidden"));
        }
        listed.backend(capabilities::all(&Client { skill_source: self, has_host: false }, skill))
    }

    /// Finds a skill for display. Works like [`find`](SkillSource::find), but also finds untrusted skills.
    pub fn look(&self, name: &str) -> Result<SkillEntry<'_>, NotFound> {
        self.find(name).or_else(|missing| self.withheld(name).ok_or(missing))
    }
}

impl<'a> SkillEntry<'a> {
    /// Returns the programs that the skill requires and that this machine does not have.
    pub fn missing_programs(&self) -> Vec<&'a str> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        self.skill.missing_programs(&path).collect()
    }

    /// Returns the entry of a skill that is part of the program.
    pub(crate) fn bundled(skill: Skill<'a>, grants: Grants<'_>) -> Self {
        let gated = skill.is_gated(grants);
        Self { skill, directory: None, gated, shadowed_by: None, trust: Trust::Program }
    }
}

/// A client of the skills. It has the capabilities that the program sets, or else only a model. With `--host`
/// it is treated like a program that has every function.
pub struct Client<'c> {
    pub skill_source: &'c dyn SkillSource,
    pub has_host: bool,
}

impl Capabilities for Client<'_> {
    fn function(&self, name: &str) -> Option<Skill<'_>> {
        self.skill_source.find(name).ok().map(|item| item.skill).filter(|skill| skill.backend().is_some())
    }

    fn serves(&self, name: &str) -> bool {
        self.has_host || self.skill_source.capabilities().is_some_and(|program| program.serves(name))
    }

    fn has_model(&self) -> bool {
        self.skill_source.capabilities().is_none_or(Capabilities::has_model)
    }

    fn has_mcp(&self) -> bool {
        self.skill_source.capabilities().is_none_or(Capabilities::has_mcp)
    }

    fn is_untrusted(&self, name: &str) -> bool {
        self.skill_source.is_untrusted(name)
    }
}
