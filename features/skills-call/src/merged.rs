//! Combines several libraries into one, and the functions of several hosts.

use std::path::PathBuf;
use std::sync::Arc;

use skills_registry::{Registry, Skill, ident_key};

use super::sources::Wanted;
use super::{Dispatch, Function, Library};
use skills_exec::{CheckedCopy, NotRun, Program, RunOptions};
use skills_runtime::capabilities::Grants;
use skills_runtime::trust::{Trust, Untrusted};

/// The library of a [`Runner`](super::Runner) that was merged with others or narrowed to some skills. The
/// libraries are layers: the highest one that has a name, in any spelling with `-` or `_`, wins it.
pub(super) struct Merged {
    /// The libraries of the merged runners, highest precedence first.
    pub(super) above: Vec<Arc<dyn Library>>,
    /// The library of the runner itself, the lowest layer.
    pub(super) own: Arc<dyn Library>,
    /// Selects the skills that outside callers can see; `None` selects all. Calls from inside a skill ignore it.
    pub(super) wanted: Option<Wanted>,
}

impl Merged {
    /// Returns the libraries, highest precedence first.
    fn all(&self) -> impl Iterator<Item = &Arc<dyn Library>> {
        self.above.iter().chain(std::iter::once(&self.own))
    }

    /// Returns the library of the skill that wins a name.
    fn of(&self, name: &str) -> &dyn Library {
        &**self.all().find(|library| library.hides(name)).unwrap_or(&self.own)
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
        let mut skills: Vec<Skill<'_>> = Vec::new();
        for (place, library) in self.all().enumerate() {
            let seen = library.skills().into_iter().filter(|skill| self.is_wanted(*skill));
            skills.extend(
                seen.filter(|skill| !(self.all().take(place).any(|before| before.hides(skill.name())))),
            );
        }
        skills.sort_by_key(|skill| skill.name());
        skills
    }

    fn typed_function<'a>(&'a self, own: Function<'a>) -> Option<Function<'a>> {
        self.all()
            .find_map(|library: &'a Arc<dyn Library>| {
                library.typed_function(own).filter(|found| std::ptr::eq(found.input, own.input))
            })
            .or_else(|| self.of(own.skill.name()).typed_function(own))
    }

    fn shadowed(&self) -> Vec<(Skill<'_>, Option<Skill<'_>>)> {
        let mut found = Vec::new();
        for (place, library) in self.all().enumerate() {
            found.extend(library.shadowed());
            for lost in library.skills() {
                let key = ident_key(lost.name());
                if let Some(hiding) = self.all().take(place).find(|above| above.hides(lost.name())) {
                    found.push((
                        lost,
                        hiding.skills().into_iter().find(|skill| ident_key(skill.name()) == key),
                    ));
                }
            }
        }
        found
    }

    fn hides(&self, name: &str) -> bool {
        self.all().any(|library| library.hides(name))
    }

    fn granting(&self, grants: &Grants) -> Option<Arc<dyn Library>> {
        let above = self.above.iter().map(|library| granted(library, grants)).collect();
        Some(Arc::new(Self { above, own: granted(&self.own, grants), wanted: self.wanted.clone() }))
    }

    fn catalog_budget(&self) -> usize {
        self.own.catalog_budget()
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
        self.all().find_map(|library| library.untrusted(name))
    }

    fn outranked(&self, name: &str) -> Option<Untrusted> {
        self.all().find_map(|library| library.outranked(name))
    }

    fn checked_copy(&self, skill: Skill<'_>, options: &RunOptions) -> Result<Option<CheckedCopy>, NotRun> {
        self.of(skill.name()).checked_copy(skill, options)
    }

    fn trust(&self, skill: Skill<'_>) -> Trust {
        self.of(skill.name()).trust(skill)
    }
}

/// Returns a library for a host with more capabilities, if the library supports that.
pub(super) fn granted(library: &Arc<dyn Library>, grants: &Grants) -> Arc<dyn Library> {
    library.granting(grants).unwrap_or_else(|| Arc::clone(library))
}

/// The functions of a host, with the bundle whose trait they implement, if any.
#[derive(Clone)]
pub(super) struct Hosted {
    pub(super) bundle: Option<&'static Registry>,
    pub(super) host: Arc<dyn Dispatch>,
}

impl Hosted {
    /// Returns `true` if the host may have a function for a skill. The functions of a bundle are not used for
    /// a skill of the same name in another bundle. For a skill on disk, any host with a function of that name
    /// is used.
    pub(super) fn is_for(&self, skill: Skill<'_>) -> bool {
        let Some(bundle) = self.bundle.filter(|_| skill.is_bundled()) else { return true };
        let own = bundle.get(skill.name());
        own.is_some_and(|own| std::ptr::eq(own.name_bytes(), skill.name_bytes()))
    }
}
