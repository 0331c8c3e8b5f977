//! The skills that a command works on and their locations: in the program, or in directories.

use std::path::PathBuf;

#[cfg(feature = "standalone")]
use skills_load::{Found, Layers};
use skills_registry::{NotFound, Prompt, Registry, Skill};
use skills_runtime::capabilities::{self, Capabilities};
use skills_runtime::listing::Listed;

/// Returns `true` if the host has a capability.
pub(crate) type Grants<'a> = &'a dyn Fn(&str) -> bool;

/// Skills, with the other facts about them that a command needs.
#[derive(Clone, Copy)]
pub(crate) enum SkillSource<'a> {
    /// The skills of a program, and the runner's capabilities if the program sets a runner.
    Bundle(&'a Registry, Grants<'a>, Option<&'a dyn Capabilities>),
    /// The skills of directories.
    #[cfg(feature = "standalone")]
    Layers(&'a Layers),
}

/// One skill.
#[derive(Clone)]
pub(crate) struct SkillEntry<'a> {
    pub(crate) skill: Skill<'a>,
    /// The directory of the skill, or `None` if it is part of the program.
    pub(crate) directory: Option<PathBuf>,
    /// `true` if the skill requires a capability that is refused.
    pub(crate) gated: bool,
    /// The path of the skill that hides it.
    pub(crate) shadowed_by: Option<String>,
    /// `true` if the skill comes from a workspace that is not trusted, so that it has no effect.
    pub(crate) is_untrusted: bool,
}

impl<'a> SkillSource<'a> {
    /// Returns all skills that no other skill hides, sorted by name. Includes gated and untrusted skills.
    pub(crate) fn all(&self) -> Vec<SkillEntry<'a>> {
        match self {
            Self::Bundle(registry, grants, _) => {
                registry.iter().map(|skill| SkillEntry::bundled(skill, *grants)).collect()
            }
            #[cfg(feature = "standalone")]
            Self::Layers(layers) => layers.all().map(SkillEntry::found).collect(),
        }
    }

    /// Returns the skills that are listed, found, run and shown to a model, sorted by name.
    pub(crate) fn offered(&self) -> Vec<SkillEntry<'a>> {
        match self {
            Self::Bundle(..) => self.all().into_iter().filter(|item| !item.gated).collect(),
            #[cfg(feature = "standalone")]
            Self::Layers(layers) => layers.winners().map(SkillEntry::found).collect(),
        }
    }

    /// Returns the hidden skills, sorted by name.
    pub(crate) fn shadowed(&self) -> Vec<SkillEntry<'a>> {
        match self {
            Self::Bundle(..) => Vec::new(),
            #[cfg(feature = "standalone")]
            Self::Layers(layers) => layers
                .shadowed()
                .map(|pair| {
                    let winner = pair.won.skill.base().to_owned();
                    SkillEntry { shadowed_by: Some(winner), ..SkillEntry::found(pair.lost) }
                })
                .collect(),
        }
    }

    /// Finds a skill by its exact name. A gated skill counts as not found.
    pub(crate) fn find(&self, name: &str) -> Result<SkillEntry<'a>, NotFound> {
        match self {
            Self::Bundle(registry, grants, _) => {
                let found = registry.get(name).map(|skill| SkillEntry::bundled(skill, *grants));
                found.filter(|item| !item.gated).ok_or_else(|| registry.not_found(name, *grants))
            }
            #[cfg(feature = "standalone")]
            Self::Layers(layers) => {
                layers.locate(name).map(SkillEntry::found).ok_or_else(|| layers.not_found(name))
            }
        }
    }

    fn capabilities(&self) -> Option<&'a dyn Capabilities> {
        match self {
            Self::Bundle(.., capabilities) => *capabilities,
            #[cfg(feature = "standalone")]
            Self::Layers(_) => None,
        }
    }

    /// Returns a skill as lists show it. The entry also says whether the skill can be called, by the same
    /// check as `tools`.
    pub(crate) fn listed(&self, item: &SkillEntry<'a>) -> Listed<'a> {
        let (skill, is_gated, shadowed_by) = (item.skill, item.gated, item.shadowed_by.clone());
        let (is_untrusted, missing_requires) = (item.is_untrusted, item.missing_programs());
        let listed = Listed { is_gated, shadowed_by, is_untrusted, missing_requires, ..Listed::new(skill) };
        if is_gated || listed.shadowed_by.is_some() {
            return listed.backend(Err::<(), _>("nobody can call a skill that is gated or hidden"));
        }
        listed.backend(capabilities::all(&Client { skill_source: self, has_host: false }, skill))
    }

    /// Finds a skill for display. Works like [`find`](Self::find), but also finds untrusted skills.
    pub(crate) fn look(&self, name: &str) -> Result<SkillEntry<'a>, NotFound> {
        self.find(name).or_else(|missing| match self {
            Self::Bundle(..) => Err(missing),
            #[cfg(feature = "standalone")]
            Self::Layers(layers) => layers.withheld(name).map(SkillEntry::found).ok_or(missing),
        })
    }

    /// Renders the catalog.
    pub(crate) fn prompt(&self, prompt: Prompt<'_>) -> String {
        match self {
            Self::Bundle(registry, grants, _) => registry.prompt_with(&prompt.grant(grants)).into_owned(),
            #[cfg(feature = "standalone")]
            Self::Layers(layers) => layers.prompt_with(&prompt),
        }
    }
}

impl<'a> SkillEntry<'a> {
    /// Returns the programs that the skill requires and that this machine does not have.
    pub(crate) fn missing_programs(&self) -> Vec<&'a str> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        self.skill.missing_programs(&path).collect()
    }

    fn bundled(skill: Skill<'a>, grants: Grants<'_>) -> Self {
        Self { skill, directory: None, gated: skill.is_gated(grants), shadowed_by: None, is_untrusted: false }
    }

    #[cfg(feature = "standalone")]
    fn found(found: Found<'a>) -> Self {
        let (skill, gated, is_untrusted) = (found.skill, found.gated, !found.trust.may_run());
        Self { skill, directory: found.directory(), gated, shadowed_by: None, is_untrusted }
    }
}

/// A client of the skills. It has the capabilities that the program sets, or else only a model. With `--host`
/// it counts as a program that has every function.
pub(crate) struct Client<'c> {
    pub(crate) skill_source: &'c SkillSource<'c>,
    pub(crate) has_host: bool,
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

    fn is_untrusted(&self, name: &str) -> bool {
        match self.skill_source {
            SkillSource::Bundle(..) => false,
            #[cfg(feature = "standalone")]
            SkillSource::Layers(layers) => layers.untrusted(name).is_some(),
        }
    }
}
