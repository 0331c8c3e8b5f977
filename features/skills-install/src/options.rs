//! The options for a caller of `install`.

use std::path::PathBuf;
use std::sync::Arc;

use skills_registry::{Registry, SkillVerifier};
use skills_runtime::__setters as setters;

use super::adopt::Adopt;
use super::error::InstallError;

/// Which skills are installed or removed, and how far the installer may go.
///
/// ```
/// use skills_install::InstallOptions;
/// let options = InstallOptions::new("my-agent").names(["pdf"]).force(true);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct InstallOptions {
    pub(super) bundle: String,
    pub(super) names: Vec<String>,
    pub(super) force: bool,
    pub(super) restore: bool,
    pub(super) adopt: Adopt,
    pub(super) retired: Vec<String>,
    pub(super) formerly: Vec<String>,
    pub(super) by_directory: bool,
    pub(super) documents: bool,
    pub(super) standard: bool,
    pub(super) within: Option<PathBuf>,
    pub(super) signature: Option<Arc<dyn SkillVerifier>>,
}

impl InstallOptions {
    /// Asks for all skills of a bundle, which is known by `bundle` in the lock file.
    ///
    /// Give the name of the program: several programs may install into one target, and none touches the
    /// skills of another. It must stay the same from version to version.
    pub fn new(bundle: impl Into<String>) -> Self {
        Self {
            bundle: bundle.into(),
            names: Vec::new(),
            force: false,
            restore: false,
            adopt: Adopt::Nothing,
            retired: Vec::new(),
            formerly: Vec::new(),
            by_directory: false,
            documents: true,
            standard: false,
            within: None,
            signature: None,
        }
    }

    setters! {
        /// Asks for the skills of these names only; none means all.
        ///
        /// A skill that is named is asked for: when the user had deleted it, it comes back.
        names(names: impl IntoIterator<Item = impl Into<String>>) => names = names.into_iter().map(Into::into).collect();
        /// Replaces files that the user edited or that something else put there, and leaves each beside its
        /// successor as `.bak`; default no.
        ///
        /// A damaged lock file is set aside as well. Skills that another bundle installed are not replaced by it.
        force(force: bool) => force = force;
        /// Brings back skills and files that the user deleted; default no.
        restore(restore: bool) => restore = restore;
        /// Takes over files that an earlier release wrote without a lock file; default none.
        ///
        /// From then on the files are updated and removed like any other.
        adopt(adopt: Adopt) => adopt = adopt;
        /// Names skills that earlier releases installed without a lock file, and that the bundle no longer has.
        ///
        /// Their files are removed, or set aside, if [`adopt`](Self::adopt) says that they are the program's own.
        retired(names: impl IntoIterator<Item = impl Into<String>>) => retired = names.into_iter().map(Into::into).collect();
        /// Names bundles whose skills count as this bundle's own: earlier names of the program.
        formerly(bundles: impl IntoIterator<Item = impl Into<String>>) => formerly = bundles.into_iter().map(Into::into).collect();
        /// Installs each skill into a directory with the name that its directory in the bundle has, instead of the
        /// name of the skill; default no.
        by_directory(by_directory: bool) => by_directory = by_directory;
        /// Writes a `SKILL.md` for a skill that has only a `skill.json`, so that agents find it; default yes.
        ///
        /// It holds the name, the description and the prompt. Say no for a target that only
        /// programs read which know `skill.json`.
        documents(documents: bool) => documents = documents;
        /// Writes the frontmatter of each `SKILL.md` as the open standard has it, where it is TOML, is
        /// missing or lacks the name; default no, since what agents read today need not change.
        standard(standard: bool) => standard = standard;
        /// Refuses a target that a link leads out of this directory; default: links on the way to it are the
        /// caller's.
        ///
        /// For a target in a repository that others wrote: its `.claude` may be a link to anywhere.
        within(directory: impl Into<PathBuf>) => within = Some(directory.into());
        /// Installs nothing unless this key has signed each skill that is meant, by the `skill.oms.sig` in
        /// it; what is written are then the bytes that were signed, but for the frontmatter that
        /// [`standard`](Self::standard) rewrites: that skill is installed, and is not what was signed any
        /// more.
        ///
        /// The key is a `PublicKey` of the crate `skills-sign` with its feature `signatures`.
        require_signature(key: impl SkillVerifier + 'static) => signature = Some(Arc::new(key));
    }

    /// Checks the signatures of the selected skills, if they need one.
    pub(super) fn check_signatures(&self, registry: &Registry) -> Result<(), InstallError> {
        let Some(key) = &self.signature else { return Ok(()) };
        for skill in registry.iter().filter(|skill| self.selects(skill.name())) {
            let unsigned = |reason| InstallError::Unsigned { skill: skill.name().to_owned(), reason };
            key.verify(skill).map_err(unsigned)?;
        }
        Ok(())
    }

    /// Returns `true` if deleted files of the skill should be restored.
    pub(super) fn restores(&self, name: &str) -> bool {
        self.restore || self.names.iter().any(|named| named == name)
    }

    /// Returns `true` if a bundle of the lock file is this one, under its name or an earlier one.
    pub(super) fn is_own(&self, bundle: &str) -> bool {
        self.bundle == bundle || self.formerly.iter().any(|name| name == bundle)
    }

    /// Returns `true` if the skill is selected.
    pub(super) fn selects(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|named| named == name)
    }
}
