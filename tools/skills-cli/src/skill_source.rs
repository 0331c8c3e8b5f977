//! The skills a command works on, and where they lie: in the program, or in directories that were read.

use std::path::PathBuf;

#[cfg(feature = "standalone")]
use skills_load::{Found, Layers};
use skills_registry::{NotFound, Prompt, Registry, Skill};
use skills_runtime::capabilities::{self, Capabilities};
use skills_runtime::listing::Listed;

/// Returns `true` if the host has a capability (SPEC 2.9).
pub(crate) type Grants<'a> = &'a dyn Fn(&str) -> bool;

/// Skills, and what a command must know of them besides.
#[derive(Clone, Copy)]
pub(crate) enum SkillSource<'a> {
    /// Those of a program, and what it runs them with, if it says so.
    Bundle(&'a Registry, Grants<'a>, Option<&'a dyn Capabilities>),
    /// Those of directories.
    #[cfg(feature = "standalone")]
    Layers(&'a Layers),
}

/// One of the skills.
#[derive(Clone)]
pub(crate) struct SkillEntry<'a> {
    pub(crate) skill: Skill<'a>,
    /// Where it lies; nothing for a skill that is part of the program.
    pub(crate) directory: Option<PathBuf>,
    /// Whether it asks for a capability that is refused (SPEC 2.9).
    pub(crate) gated: bool,
    /// The path of the skill that hides it (SPEC 1.6).
    pub(crate) shadowed_by: Option<String>,
    /// Whether nobody answers for the workspace it comes from, so that it does nothing (SPEC 14.10).
    pub(crate) is_untrusted: bool,
}

impl<'a> SkillSource<'a> {
    /// Returns all skills that are not hidden by others, sorted by name; gated ones too, and those that are not trusted.
    pub(crate) fn all(&self) -> Vec<SkillEntry<'a>> {
        match self {
            Self::Bundle(registry, grants, _) => {
                registry.iter().map(|skill| SkillEntry::bundled(skill, *grants)).collect()
            }
            #[cfg(feature = "standalone")]
            Self::Layers(layers) => layers.all().map(SkillEntry::found).collect(),
        }
    }

    /// Returns those that are hidden by others, sorted by name (SPEC 1.6).
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

    /// Finds a skill by its exact name; a gated one is as unknown as one that does not exist (SPEC 2.9).
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

    /// Returns a skill as lists show it: whether it can be called as `tools` says, too.
    pub(crate) fn listed(&self, item: &SkillEntry<'a>) -> Listed<'a> {
        let (skill, is_gated, shadowed_by) = (item.skill, item.gated, item.shadowed_by.clone());
        let (is_untrusted, missing_requires) = (item.is_untrusted, item.missing_programs());
        let listed = Listed { is_gated, shadowed_by, is_untrusted, missing_requires, ..Listed::new(skill) };
        if is_gated || listed.shadowed_by.is_some() {
            return listed.backend(Err::<(), _>("nobody can call a skill that is gated or hidden"));
        }
        listed.backend(capabilities::all(&Client { skill_source: self, has_host: false }, skill))
    }

    /// Finds a skill for a person to look at: as [`find`](Self::find), and one that is not trusted, too.
    pub(crate) fn look(&self, name: &str) -> Result<SkillEntry<'a>, NotFound> {
        self.find(name).or_else(|missing| {
            let shown = |item: &SkillEntry<'_>| item.skill.name() == name && item.is_untrusted && !item.gated;
            self.all().into_iter().find(shown).ok_or(missing)
        })
    }

    /// Renders the catalog (SPEC 8.1).
    pub(crate) fn prompt(&self, prompt: Prompt<'_>) -> String {
        match self {
            Self::Bundle(registry, grants, _) => registry.prompt_with(&prompt.grant(grants)).into_owned(),
            #[cfg(feature = "standalone")]
            Self::Layers(layers) => layers.prompt_with(&prompt),
        }
    }
}

impl<'a> SkillEntry<'a> {
    /// Returns the programs that the skill requires and that this machine has not (SPEC 11.15).
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

/// A client of the skills: it has what the program gives, else a model; and by `--host` a program with every function.
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
        self.skill_source.look(name).is_ok_and(|item| item.is_untrusted)
    }
}
