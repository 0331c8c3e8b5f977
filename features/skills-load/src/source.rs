//! A layer that is not read yet, and what a bundle brings along.

use std::any::Any;
use std::path::PathBuf;
use std::sync::Arc;

use skills_registry::Registry;

use skills_runtime::Bundle;
use crate::trust::Trust;

/// Tells whether the host has a capability.
pub(super) type Grants = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// A layer that is not read yet.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Bundle(Brought),
    /// The directory a bundle is made of; the bundle stands in when it is not there.
    Tree(Brought, PathBuf),
    /// A directory, and who answers for it; `Nobody` for one of a workspace, whose skills are asked about.
    Directory(PathBuf, Trust),
}

/// What a bundle brings along.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brought {
    pub(super) registry: &'static Registry,
    pub(super) package: &'static str,
    /// What makes its skills callable, for the crate that calls them.
    pub(super) functions: Option<&'static (dyn Any + Send + Sync)>,
}

impl Brought {
    pub(super) fn of(bundle: &'static (impl Bundle + ?Sized)) -> Self {
        Self {
            registry: bundle.registry(),
            package: bundle.package(),
            functions: bundle.functions(),
        }
    }
}
