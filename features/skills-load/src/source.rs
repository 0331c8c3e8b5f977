//! A layer before it is read, and the parts of a bundle.

use std::any::Any;
use std::path::PathBuf;

use skills_registry::Registry;

use super::remote::Remote;
use crate::trust::Trust;
use skills_runtime::Bundle;

/// A layer before it is read.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Bundle(BundleParts),
    /// The source directory of a bundle. The bundle is used if the directory does not exist.
    Tree(BundleParts, PathBuf),
    /// A directory and its trust; `Untrusted` for a workspace, because trust is decided there for each skill.
    Directory(PathBuf, Trust),
    Remote(Remote),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct BundleParts {
    pub(super) registry: &'static Registry,
    pub(super) package: &'static str,
    /// The data that `skills-call` needs to call its skills.
    pub(super) functions: Option<&'static (dyn Any + Send + Sync)>,
}

impl BundleParts {
    pub(super) fn of(bundle: &'static (impl Bundle + ?Sized)) -> Self {
        Self { registry: bundle.registry(), package: bundle.package(), functions: bundle.functions() }
    }
}
