//! What a program asks for: which layers, and how they are judged.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skills_core::levels::Profile;
use skills_core::options::{FormatPolicy, Options, Strictness};
use skills_core::read::ReadOptions;

use super::layers::Layers;
use super::roots::{
    guide_home_directories, guide_project_directories, home_directories, workspace_directories,
};
use super::source::{Brought, Grants, Source};
use super::unreadable::Unreadable;
use skills_runtime::Bundle;
use skills_runtime::__setters as setters;
use crate::trust::{Book, Place, Predicate, Trust};

/// Lists layers, lowest first, and how they are read; [`Layers::builder`] makes one.
///
/// ```
/// use skills_load::{Layers, Strictness};
/// let skills = Layers::builder()
///     .directory("~/.my-agent/skills")
///     .directory(".my-agent/skills")
///     .strictness(Strictness::Lenient)
///     .grant(|capability| capability == "camera")
///     .load()?;
/// # Ok::<(), skills_load::Unreadable>(())
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct Builder {
    pub(super) sources: Vec<Source>,
    pub(super) grants: Option<Grants>,
    pub(super) trusts: Option<Predicate>,
    trust_file: Option<PathBuf>,
    #[cfg(feature = "signatures")]
    pub(super) signature: Option<skills_sign::PublicKey>,
    strictness: Strictness,
    formats: FormatPolicy,
    read: ReadOptions,
}

impl Layers {
    /// Starts an empty list of layers.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Reads the skills that an agent has by default, lowest first: its bundle, `~/.agents/skills`, `~/.claude/skills`,
    /// `WORKSPACE/.claude/skills`, `WORKSPACE/.agents/skills` (SPEC 1.6).
    ///
    /// # Errors
    /// As [`Builder::load`].
    ///
    /// ```no_run
    /// # use skills_runtime::{Registry, load::{Layers, Unreadable}};
    /// # fn example(skills: &'static Registry) -> Result<(), Unreadable> {
    /// let skills = Layers::of_agent(skills, ".")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn of_agent(
        bundle: &'static (impl Bundle + ?Sized),
        workspace: impl AsRef<Path>,
    ) -> Result<Self, Unreadable> {
        let home = std::env::home_dir();
        Self::builder().bundle(bundle).agent(home.as_deref(), workspace.as_ref()).load()
    }
}

impl Builder {
    /// Adds the skills of the program, above what was added before; usually they come first, as the lowest layer.
    ///
    /// Several bundles, as of a library and of the program, are a layer each, and the functions of all can be called.
    pub fn bundle(mut self, bundle: &'static (impl Bundle + ?Sized)) -> Self {
        self.sources.push(Source::Bundle(Brought::of(bundle)));
        self
    }

    /// Adds the skills of the program; in a debug build, the directory they are made of is read in their place, so that
    /// an edited skill is seen without a build.
    ///
    /// `manifest_dir` is `env!("CARGO_MANIFEST_DIR")`, `dir` is the directory as given to `skills!`. A build without
    /// debug assertions, and a machine without that directory, uses the skills in the program.
    ///
    /// ```no_run
    /// # use skills_runtime::{Registry, load::Layers};
    /// # fn example(skills: &'static Registry) -> Result<(), skills_load::Unreadable> {
    /// let skills = Layers::builder().bundle_from_source(skills, env!("CARGO_MANIFEST_DIR"), "skills/").load()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn bundle_from_source(
        mut self,
        bundle: &'static (impl Bundle + ?Sized),
        manifest_dir: impl AsRef<Path>,
        dir: impl AsRef<Path>,
    ) -> Self {
        if cfg!(debug_assertions) {
            self.sources.push(Source::Tree(Brought::of(bundle), manifest_dir.as_ref().join(dir)));
            return self;
        }
        self.bundle(bundle)
    }

    /// Adds a directory of skills, above what was added before. A leading `~/` is the home directory (SPEC 1.1), a missing
    /// directory has no skills (SPEC 1.2).
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.sources.push(Source::Directory(directory.into(), Trust::Named));
        self
    }

    /// Adds a directory of skills that nobody answers for, such as one of a repository that was cloned, above what was
    /// added before: its skills do nothing until they are trusted (SPEC 14.9, 14.10).
    pub fn workspace_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.sources.push(Source::Directory(directory.into(), Trust::Nobody));
        self
    }

    /// Adds directories, each above the one before.
    pub fn directories(mut self, directories: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        let named = |directory: PathBuf| Source::Directory(directory, Trust::Named);
        self.sources.extend(directories.into_iter().map(|directory| named(directory.into())));
        self
    }

    /// Adds the directories in which agents look for skills; see [`agent_directories`](super::agent_directories). Those of
    /// the home are the user's own; what is in those of the workspace does nothing until it is trusted (SPEC 14.9).
    pub fn agent(mut self, home: Option<&Path>, workspace: &Path) -> Self {
        let own = home.into_iter().flat_map(home_directories);
        self.sources.extend(own.map(|directory| Source::Directory(directory, Trust::User)));
        workspace_directories(workspace).into_iter().fold(self, Self::workspace_directory)
    }

    /// Adds the directories of the guide of the standard, up to the root of the repository that the workspace lies in; see
    /// [`guide_directories`](super::guide_directories) (SPEC 9.8). Who answers for them is as with [`agent`](Self::agent).
    pub fn guide(mut self, home: Option<&Path>, workspace: &Path) -> Self {
        let own = home.into_iter().flat_map(guide_home_directories);
        self.sources.extend(own.map(|directory| Source::Directory(directory, Trust::User)));
        guide_project_directories(home, workspace).into_iter().fold(self, Self::workspace_directory)
    }

    setters! {
        /// Sets which skills of a workspace are trusted; it is asked about each when they are read. By default they are those
        /// of directories that the user has trusted by `skills trust`, as they were then ([`Book`]).
        ///
        /// ```
        /// use skills_load::Layers;
        /// let ours = |place: &skills_runtime::trust::Place<'_>| place.root.starts_with("/srv/ours");
        /// let skills = Layers::builder().agent(None, ".".as_ref()).trust(ours).load()?;
        /// # Ok::<(), skills_load::Unreadable>(())
        /// ```
        trust(is_trusted: impl Fn(&Place<'_>) -> bool + Send + Sync + 'static) => trusts = Some(Arc::new(is_trusted));
        /// Sets the file that says which directories were trusted; by default that of the user. It is read with the skills.
        trust_file(path: impl Into<PathBuf>) => trust_file = Some(path.into());
        /// Lets a skill on disk do nothing unless this key has signed it, or the directory of skills that it lies in: by a
        /// `skill.oms.sig` that says of every file what it holds (SPEC 14.6). That is asked besides [`trust`](Self::trust); a
        /// bundle is exempt.
        #[cfg(feature = "signatures")]
        require_signature(key: skills_sign::PublicKey) => signature = Some(key);
        /// Sets what becomes of a skill on disk without a description: skipped (the default), or loaded with a line of its
        /// body in its place (SPEC 2.7).
        strictness(strictness: Strictness) => strictness = strictness;
        /// Sets what `format` means in the schemas of skills on disk; by default what their drafts say (SPEC 6.1). A bundle has
        /// what its `skills!` says.
        formats(formats: FormatPolicy) => formats = formats;
        /// Sets which capabilities the host has: it is asked about `x` for `cap:x`, each time skills are listed or looked up
        /// (default: none; SPEC 2.9).
        grant(grants: impl Fn(&str) -> bool + Send + Sync + 'static) => grants = Some(Arc::new(grants));
        /// Sets the size of the largest file that is read, in bytes (default 10 MiB).
        file_cap(bytes: u64) => read.file_cap = bytes;
        /// Sets the size of the largest skill that is read, in bytes (default 50 MiB).
        skill_cap(bytes: u64) => read.skill_cap = bytes;
        /// Sets how much is read of each directory, in bytes (default 200 MiB).
        bundle_cap(bytes: u64) => read.bundle_cap = bytes;
    }

    /// Reads what says which directories were trusted; nothing is read where nobody would ask.
    pub(super) fn book(&self) -> Book {
        let asks = |source: &Source| matches!(source, Source::Directory(_, Trust::Nobody));
        match &self.trust_file {
            _ if self.trusts.is_some() || !self.sources.iter().any(asks) => Book::default(),
            Some(path) => Book::at(path),
            None => Book::of_user(),
        }
    }

    /// The directories that are read, as absolute paths.
    #[cfg(feature = "watch")]
    pub(super) fn roots(&self) -> Vec<PathBuf> {
        let directories = self.sources.iter().filter_map(|source| match source {
            Source::Bundle(_) => None,
            Source::Tree(_, path) | Source::Directory(path, _) => Some(super::roots::expand(path)),
        });
        directories.map(|path| std::path::absolute(&path).unwrap_or(path)).collect()
    }

    pub(super) fn options(&self) -> Options {
        Options {
            profile: Profile::Disk,
            // Whether git keeps a skill is nothing to who runs it.
            read: ReadOptions { git: false, ..self.read.clone() },
            strictness: self.strictness,
            formats: self.formats,
            // How long a catalog may be is a matter of all layers together, and cut when it is rendered.
            catalog_budget: usize::MAX,
            ..Options::default()
        }
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Builder")
            .field("sources", &self.sources)
            .field("strictness", &self.strictness)
            .field("formats", &self.formats)
            .field("read", &self.read)
            .finish_non_exhaustive()
    }
}
