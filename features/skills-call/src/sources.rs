//! The libraries of a runner, and how they are combined. The order in which they were set does not matter.

use std::sync::Arc;

use skills_registry::Skill;
use skills_runtime::capabilities::Grants;

use crate::Library;
use crate::merged::{Merged, granted};

pub(crate) type Wanted = Arc<dyn Fn(Skill<'_>) -> bool + Send + Sync>;

/// Everything that decides which skills a runner has.
#[derive(Clone)]
pub(crate) struct Sources {
    /// The runner's own library: its bundle, its layers, or a library of the program.
    own: Arc<dyn Library>,
    /// The libraries of merged runners, in the order in which they were merged. The last one is the highest.
    merged: Vec<Arc<dyn Library>>,
    /// The capabilities of the host, in addition to those that a library grants.
    grants: Option<Grants>,
    /// Selects the skills for outside callers.
    wanted: Option<Wanted>,
    /// Whether a merged runner was restricted to some skills.
    has_narrowed: bool,
}

impl Sources {
    pub(crate) fn new(own: Arc<dyn Library>) -> Self {
        Self { own, merged: Vec::new(), grants: None, wanted: None, has_narrowed: false }
    }

    /// Replaces the runner's own library.
    pub(crate) fn look_up(&mut self, own: Arc<dyn Library>) {
        self.own = own;
    }

    /// Adds the library of another runner, with the highest precedence.
    pub(crate) fn merge(&mut self, other: Arc<dyn Library>, is_narrowed: bool) {
        self.merged.push(other);
        self.has_narrowed |= is_narrowed;
    }

    /// Adds capabilities.
    pub(crate) fn grant(&mut self, grants: impl Fn(&str) -> bool + Send + Sync + 'static) {
        self.grants = Some(match self.grants.take() {
            Some(own) => Arc::new(move |capability| own(capability) || grants(capability)),
            None => Arc::new(grants),
        });
    }

    /// Restricts outside callers to the skills that all selections accept.
    pub(crate) fn only(&mut self, wanted: impl Fn(Skill<'_>) -> bool + Send + Sync + 'static) {
        self.wanted = Some(match self.wanted.take() {
            Some(own) => Arc::new(move |skill| own(skill) && wanted(skill)),
            None => Arc::new(wanted),
        });
    }

    /// Returns `true` if there are skills that outside callers cannot use.
    pub(crate) fn is_narrowed(&self) -> bool {
        self.wanted.is_some() || self.has_narrowed
    }

    pub(crate) fn combined(&self) -> Arc<dyn Library> {
        let own = self.granted(&self.own);
        if self.merged.is_empty() && self.wanted.is_none() {
            return own;
        }
        let above = self.merged.iter().rev().map(|library| self.granted(library)).collect();
        Arc::new(Merged { above, own, wanted: self.wanted.clone() })
    }

    fn granted(&self, library: &Arc<dyn Library>) -> Arc<dyn Library> {
        match &self.grants {
            Some(grants) => granted(library, grants),
            None => Arc::clone(library),
        }
    }
}
