//! Combines several libraries into one, and the functions of several hosts.

use std::path::PathBuf;
use std::sync::Arc;

use skills_registry::Skill;

use super::sources::Wanted;
use super::{Dispatch, Function, Functions, Library};
use skills_exec::{CheckedCopy, NotRun, Program, RunOptions};
use skills_runtime::capabilities::Grants;
use skills_runtime::trust::{Trust, Untrusted};

/// The library of a [`Runner`](super::Runner) that was merged with another or narrowed to some skills.
pub(super) struct Merged {
    /// The library whose skills win over skills of the same name in the other.
    pub(super) first: Arc<dyn Library>,
    pub(super) other: Option<Arc<dyn Library>>,
    /// Selects the skills that outside callers can see; `None` selects all. Calls from inside a skill ignore it.
    pub(super) wanted: Option<Wanted>,
}

impl Merged {
    fn of(&self, name: &str) -> &dyn Library {
        match &self.other {
            Some(other) if !self.first.hides(name) => &**other,
            _ => &*self.first,
        }
    }

    fn is_wanted(&self, skill: Skill<'_>) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted(skill))
    }
}

impl Library for Merged {
    fn function(&self, name: &str) -> Option<Function<'_>> {
        self.of(name).function(name)
    }

    fn program(&self, name: &str) -> Option<Program<'_>> {
        self.of(name).program(name)
    }

    fn skill(&self, name: &str) -> Option<Skill<'_>> {
        self.of(name).skill(name).filter(|skill| self.is_wanted(*skill))
    }

    fn skills(&self) -> Vec<Skill<'_>> {
        let others = self.other.iter().flat_map(|other| other.skills());
        let others = others.filter(|skill| !self.first.hides(skill.name()));
        let mut skills: Vec<Skill<'_>> = self.first.skills().into_iter().chain(others).collect();
        skills.sort_by_key(|skill| skill.name());
        skills.retain(|skill| self.is_wanted(*skill));
        skills
    }

    fn typed_function<'a>(&'a self, own: Function<'a>) -> Option<Function<'a>> {
        let is_own = |library: &'a Arc<dyn Library>| {
            library.typed_function(own).filter(|found| std::ptr::eq(found.input, own.input))
        };
        is_own(&self.first)
            .or_else(|| is_own(self.other.as_ref()?))
            .or_else(|| self.of(own.skill.name()).typed_function(own))
    }

    fn hides(&self, name: &str) -> bool {
        self.first.hides(name) || self.other.as_ref().is_some_and(|other| other.hides(name))
    }

    fn granting(&self, grants: &Grants) -> Option<Arc<dyn Library>> {
        let granted =
            |library: &Arc<dyn Library>| library.granting(grants).unwrap_or_else(|| Arc::clone(library));
        let (first, other) = (granted(&self.first), self.other.as_ref().map(granted));
        Some(Arc::new(Self { first, other, wanted: self.wanted.clone() }))
    }

    fn catalog_budget(&self) -> usize {
        self.first.catalog_budget()
    }

    fn directory(&self, skill: Skill<'_>) -> Option<PathBuf> {
        self.of(skill.name()).directory(skill)
    }

    fn root(&self, skill: Skill<'_>) -> Option<PathBuf> {
        self.of(skill.name()).root(skill)
    }

    fn untrusted(&self, name: &str) -> Option<Untrusted> {
        let found = self.of(name);
        if found.hides(name) {
            return found.untrusted(name);
        }
        self.first.untrusted(name).or_else(|| self.other.as_ref()?.untrusted(name))
    }

    fn outranked(&self, name: &str) -> Option<Untrusted> {
        self.first.outranked(name).or_else(|| self.other.as_ref()?.outranked(name))
    }

    fn checked_copy(&self, skill: Skill<'_>, options: &RunOptions) -> Result<Option<CheckedCopy>, NotRun> {
        self.of(skill.name()).checked_copy(skill, options)
    }

    fn trust(&self, skill: Skill<'_>) -> Trust {
        self.of(skill.name()).trust(skill)
    }
}

/// The functions of a host, with the bundle whose trait they implement, if any.
#[derive(Clone)]
pub(super) struct Hosted {
    pub(super) bundle: Option<Functions>,
    pub(super) host: Arc<dyn Dispatch>,
}

impl Hosted {
    /// Returns `true` if the host may have a function for a skill. The functions of a bundle are not used for
    /// a skill of the same name in another bundle. For a skill on disk, any host with a function of that name
    /// is used.
    pub(super) fn is_for(&self, skill: Skill<'_>) -> bool {
        let Some(bundle) = self.bundle.filter(|_| skill.is_bundled()) else { return true };
        let own = bundle.registry().get(skill.name());
        own.is_some_and(|own| std::ptr::eq(own.name_bytes(), skill.name_bytes()))
    }
}
