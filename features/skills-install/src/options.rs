//! The options for a caller of `install`.

use std::path::PathBuf;
use std::sync::Arc;

use skills_registry::{Registry, SkillVerifier};
use skills_runtime::__setters as setters;

use super::adopt::Adopt;
use super::stub::Stub;

/// The skills to install or remove, and the permitted changes.
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
    pub(super) partial: bool,
    pub(super) formerly: Vec<String>,
    pub(super) by_directory: bool,
    pub(super) documents: bool,
    pub(super) standard: bool,
    pub(super) stub: Option<Stub>,
    pub(super) within: Option<PathBuf>,
    pub(super) signature: Option<Arc<dyn SkillVerifier>>,
}

impl InstallOptions {
    /// Selects all skills of a bundle, which has the name `bundle` in the lock file.
    ///
    /// Pass the name of the program: several programs may install into one target, and no program changes the
    /// skills of another. The name must not change between versions.
    pub fn new(bundle: impl Into<String>) -> Self {
        Self {
            bundle: bundle.into(),
            names: Vec::new(),
            force: false,
            restore: false,
            adopt: Adopt::Nothing,
            retired: Vec::new(),
            partial: false,
            formerly: Vec::new(),
            by_directory: false,
            documents: true,
            standard: false,
            stub: None,
            within: None,
            signature: None,
        }
    }

    setters! {
        /// Selects only the skills with these names. An empty list selects all.
        ///
        /// A named skill is restored if the user had deleted it.
        names(names: impl IntoIterator<Item = impl Into<String>>) => names = names.into_iter().map(Into::into).collect();
        /// Replaces files that the user edited or another program wrote, and keeps each as `.bak` (default: false).
        ///
        /// A damaged lock file is set aside as well. Skills of other bundles are not replaced.
        force(force: bool) => force = force;
        /// Restores skills and files that the user deleted (default: false).
        restore(restore: bool) => restore = restore;
        /// Takes over files that an earlier release wrote without a lock file (default: none).
        ///
        /// Afterwards the files are updated and removed like any other.
        adopt(adopt: Adopt) => adopt = adopt;
        /// Names skills that earlier releases installed without a lock file, and that the bundle no longer has.
        ///
        /// Their files are removed, or set aside, if [`adopt`](Self::adopt) says that they are the program's own.
        retired(names: impl IntoIterator<Item = impl Into<String>>) => retired = names.into_iter().map(Into::into).collect();
        /// Says that some skills of the bundle were left out, such as skills that are not trusted (default: false).
        ///
        /// Then installed skills that the bundle lacks are kept, because nobody knows whether they are gone.
        partial(partial: bool) => partial = partial;
        /// Names bundles whose skills belong to this bundle: earlier names of the program.
        formerly(bundles: impl IntoIterator<Item = impl Into<String>>) => formerly = bundles.into_iter().map(Into::into).collect();
        /// Gives the directory of each skill the name of its directory in the bundle instead of the name of the
        /// skill (default: false).
        by_directory(by_directory: bool) => by_directory = by_directory;
        /// Writes a `SKILL.md` for a skill that has only a `skill.json`, so that agents find it (default: true).
        ///
        /// The file contains the name, the description and the prompt. Pass `false` if all readers of the target know
        /// `skill.json`.
        documents(documents: bool) => documents = documents;
        /// Rewrites the frontmatter of each `SKILL.md` to the open standard if it is TOML, is missing or lacks the
        /// name (default: false, since agents may already read the files).
        standard(standard: bool) => standard = standard;
        /// Writes stubs instead of the skills: a `SKILL.md` with the frontmatter of the skill and the command that prints
        /// its text. The texts then come from the installed program, so a new version of it needs no new installation
        /// unless a frontmatter changes (default: none).
        ///
        /// A skill whose `SKILL.md` the user edited stays a copy, unless [`force`](Self::force) is set.
        stub(stub: Stub) => stub = Some(stub);
        /// Refuses a target if a link on its path leads out of this directory. By default, links in the path are
        /// followed.
        ///
        /// Use this for a target in someone else's repository: its `.claude` may be a link to any place.
        within(directory: impl Into<PathBuf>) => within = Some(directory.into());
        /// Installs nothing unless this key has signed each selected skill, by its `skill.oms.sig`. The written bytes
        /// are the signed ones, except for a frontmatter that [`standard`](Self::standard) rewrites: that skill is
        /// installed, but no longer has a valid signature.
        ///
        /// The key is a `PublicKey` of the crate `skills-sign` with its feature `signatures`.
        require_signature(key: impl SkillVerifier + 'static) => signature = Some(Arc::new(key));
    }

    /// Writes stubs if the program names a command for them, in the key `stub` of its `skills.toml`; see
    /// [`stub`](Self::stub).
    pub fn of_program(self, skills: &Registry) -> Self {
        let stub = skills
            .stub()
            .map(|command| Stub::new(command).version(skills.program_version().unwrap_or_default()));
        Self { stub, ..self }
    }

    /// Returns `true` if a bundle of the lock file is this one, under its name or an earlier one.
    pub(super) fn is_own(&self, bundle: &str) -> bool {
        self.bundle == bundle || self.formerly.iter().any(|name| name == bundle)
    }
}
