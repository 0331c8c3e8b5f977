//! A library whose skills some callers know of; what is called from inside is not looked for among them.

use std::path::PathBuf;
use std::sync::Arc;

use skills_registry::{Hit, Skill};

use crate::call::{Function, Library};
use crate::exec::Program;
use crate::trust::{Trust, Untrusted};

/// What [`Runner::only`](crate::call::Runner::only) looks skills up in.
pub(super) struct Only {
    pub(super) library: Arc<dyn Library>,
    pub(super) wanted: Box<dyn Fn(Skill<'_>) -> bool + Send + Sync>,
}

impl Library for Only {
    fn function(&self, name: &str) -> Option<Function<'_>> {
        self.library.function(name)
    }

    fn program(&self, name: &str) -> Option<Program<'_>> {
        self.library.program(name)
    }

    fn skill(&self, name: &str) -> Option<Skill<'_>> {
        self.library.skill(name).filter(|skill| (self.wanted)(*skill))
    }

    fn catalog_budget(&self) -> usize {
        self.library.catalog_budget()
    }

    fn skills(&self) -> Vec<Skill<'_>> {
        self.library.skills().into_iter().filter(|skill| (self.wanted)(*skill)).collect()
    }

    fn search(&self, query: &str, admits: &dyn Fn(Skill<'_>) -> bool) -> Vec<Hit<'_>> {
        self.library.search(query, &|skill| (self.wanted)(skill) && admits(skill))
    }

    fn typed_function<'a>(&'a self, own: Function<'a>) -> Option<Function<'a>> {
        self.library.typed_function(own)
    }

    fn directory(&self, skill: Skill<'_>) -> Option<PathBuf> {
        self.library.directory(skill)
    }

    fn untrusted(&self, name: &str) -> Option<Untrusted> {
        self.library.untrusted(name)
    }

    fn recheck(&self, skill: Skill<'_>) -> Result<bool, Untrusted> {
        self.library.recheck(skill)
    }

    fn trust(&self, skill: Skill<'_>) -> Trust {
        self.library.trust(skill)
    }
}
