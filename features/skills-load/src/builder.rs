//! The options for loading skills: the layers, and how to check them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skills_core::levels::Profile;
use skills_core::options::{FormatPolicy, Options, Strictness};
use skills_core::read::ReadOptions;

use super::layer::LayerSource;
use super::read::own;
use super::remote::{RemoteSkills, RemoteSource};
use super::roots::{
    guide_home_directories, guide_project_directories, home_directories, workspace_directories,
};
use crate::trust::{Place, Predicate, Trust, TrustChecker, TrustStore};
use skills_runtime::__setters as setters;
use skills_runtime::Bundle;
use skills_runtime::capabilities::Grants;
use skills_runtime::layers::BundleParts;

/// A list of layers, lowest first, with options for reading them. It is read into [`Layers`](crate::Layers).
///
/// ```
/// use skills_load::{LayersBuilder, Strictness};
/// let skills = LayersBuilder::new()
///     .directory("~/.my-agent/skills")
///     .directory(".my-agent/skills")
///     .strictness(Strictness::Lenient)
///     .grant(|capability| capability == "camera")
///     .load()?;
/// # Ok::<(), skills_load::Unreadable>(())
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct LayersBuilder {
    pub(super) sources: Vec<LayerSource>,
    pub(super) grants: Option<Grants>,
    pub(super) trusts: Option<Predicate>,
    trust_file: Option<PathBuf>,
    pub(super) signature: Option<skills_sign::PublicKey>,
    strictness: Strictness,
    formats: FormatPolicy,
    read: ReadOptions,
}

impl LayersBuilder {
    /// Starts an empty list of layers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lists the default skills of an agent, lowest layer first: its bundle, `~/.agents/skills`,
    /// `~/.claude/skills`, `WORKSPACE/.claude/skills`, `WORKSPACE/.agents/skills`.
    ///
    /// ```no_run
    /// # use skills_load::{LayersBuilder, Unreadable};
    /// # use skills_runtime::Registry;
    /// # fn example(skills: &'static Registry) -> Result<(), Unreadable> {
    /// let skills = LayersBuilder::for_agent(skills, ".").load()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn for_agent(bundle: &'static (impl Bundle + ?Sized), workspace: impl AsRef<Path>) -> Self {
        let home = std::env::home_dir();
        Self::new().bundle(bundle).agent(home.as_deref(), workspace.as_ref())
    }

    /// Adds the skills of the program above the layers added before. Usually they are added first, as the
    /// lowest layer.
    ///
    /// Each bundle, such as one of a library and one of the program, is a separate layer. A function without a
    /// program, a prompt or steps needs the host of its bundle: merge the runner of each bundle before you set the
    /// layers, `library::SKILLS.with(Library).merge(SKILLS.with(Desk)).layers(layers)`.
    pub fn bundle(mut self, bundle: &'static (impl Bundle + ?Sized)) -> Self {
        self.sources.push(LayerSource::Bundle(BundleParts::new(bundle)));
        self
    }

    /// Adds the skills of the program. In a debug build, their source directory is read instead, so that
    /// edits take effect without a build.
    ///
    /// `manifest_dir` is `env!("CARGO_MANIFEST_DIR")`, and `dir` is the directory given to `skills!`. Without
    /// debug assertions, or if the directory does not exist, the skills in the program are used.
    ///
    /// ```no_run
    /// # use skills_load::LayersBuilder;
    /// # use skills_runtime::Registry;
    /// # fn example(skills: &'static Registry) -> Result<(), skills_load::Unreadable> {
    /// let skills = LayersBuilder::new().bundle_from_source(skills, env!("CARGO_MANIFEST_DIR"), "skills/").load()?;
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
            self.sources.push(LayerSource::Tree(BundleParts::new(bundle), manifest_dir.as_ref().join(dir)));
            return self;
        }
        self.bundle(bundle)
    }

    /// Adds a directory of skills above the layers added before. A leading `~/` is the home directory. A
    /// missing directory has no skills.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.sources.push(LayerSource::Directory(directory.into(), Trust::Named));
        self
    }

    /// Adds a directory of untrusted skills, such as one in a cloned repository, above the layers added
    /// before. Its skills are inactive until they are trusted.
    pub fn workspace_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.sources.push(LayerSource::Directory(directory.into(), Trust::Untrusted));
        self
    }

    /// Adds directories, each above the previous one.
    pub fn directories(mut self, directories: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        self.sources.extend(
            directories.into_iter().map(|directory| LayerSource::Directory(directory.into(), Trust::Named)),
        );
        self
    }

    /// Adds the skills of an MCP server, or of another server. They are below all other layers, and their
    /// names begin with the label of the server and `__`, so that they hide nothing.
    ///
    /// Before the user has approved their files ([`TrustStore::approve`]), they are neither run nor shown to
    /// a model.
    pub fn mcp(mut self, server: impl RemoteSkills + 'static) -> Self {
        self.sources.insert(0, LayerSource::Remote(RemoteSource(Arc::new(server))));
        self
    }

    /// Adds the directories where agents look for skills; see
    /// [`agent_directories`](super::agent_directories). Directories in the home are trusted. Skills in the
    /// workspace are inactive until they are trusted.
    pub fn agent(mut self, home: Option<&Path>, workspace: &Path) -> Self {
        let own = home.into_iter().flat_map(home_directories);
        self.sources.extend(own.map(|directory| LayerSource::Directory(directory, Trust::User)));
        workspace_directories(workspace).into_iter().fold(self, Self::workspace_directory)
    }

    /// Adds the directories in the guide of the standard, up to the root of the workspace's repository; see
    /// [`guide_directories`](super::guide_directories). Trust works as for [`agent`](Self::agent).
    pub fn guide(mut self, home: Option<&Path>, workspace: &Path) -> Self {
        let own = home.into_iter().flat_map(guide_home_directories);
        self.sources.extend(own.map(|directory| LayerSource::Directory(directory, Trust::User)));
        guide_project_directories(home, workspace).into_iter().fold(self, Self::workspace_directory)
    }

    setters! {
        /// Sets the predicate for trusted skills of a workspace. It is called for each skill when it is read.
        /// By default, a skill is trusted if the user trusted its directory with `skills trust` and it has
        /// not changed since ([`TrustStore`]).
        ///
        /// ```
        /// use skills_load::LayersBuilder;
        /// let ours = |place: &skills_load::trust::Place<'_>| place.root.starts_with("/srv/ours");
        /// let skills = LayersBuilder::new().agent(None, ".".as_ref()).trust(ours).load()?;
        /// # Ok::<(), skills_load::Unreadable>(())
        /// ```
        trust(is_trusted: impl Fn(&Place<'_>) -> bool + Send + Sync + 'static) => trusts = Some(Arc::new(is_trusted));
        /// Sets the file with the trusted directories. The default is the user's file. It is read together
        /// with the skills.
        trust_file(path: impl Into<PathBuf>) => trust_file = Some(path.into());
        /// Makes a skill on disk inactive unless this key has signed it, or has signed the directory of
        /// skills that contains it: a `skill.oms.sig` must cover every file. This applies in addition to
        /// [`trust`](Self::trust). Bundles are exempt.
        ///
        /// Keys need the feature `signatures` of the crate `skills-sign`.
        require_signature(key: skills_sign::PublicKey) => signature = Some(key);
        /// Sets whether a skill on disk without a description is skipped (the default), or loaded with a line of its
        /// body as the description.
        strictness(strictness: Strictness) => strictness = strictness;
        /// Sets whether `format` is asserted in the schemas of skills on disk. The default depends on their
        /// drafts. For a bundle, the options of `skills!` apply.
        formats(formats: FormatPolicy) => formats = formats;
        /// Sets the capabilities of the host: `grants` is called with `x` for an entry `cap:x`, each time
        /// skills are listed or looked up. By default none is granted.
        grant(grants: impl Fn(&str) -> bool + Send + Sync + 'static) => grants = Some(Arc::new(grants));
        /// Sets the maximum size of a file in bytes (default 10 MiB).
        file_cap(bytes: u64) => read.file_cap = Some(bytes);
        /// Sets the maximum size of a skill in bytes (default 50 MiB).
        skill_cap(bytes: u64) => read.skill_cap = Some(bytes);
        /// Sets how many bytes of each directory are read at most (default 200 MiB).
        bundle_cap(bytes: u64) => read.bundle_cap = Some(bytes);
    }

    /// Returns for each skill of a directory whether it may run. The skills are given by their names and their
    /// directories below that directory. Call it after reading, since files that are read later may differ from the trusted
    /// ones; `read` is the real path at which they were read.
    #[doc(hidden)]
    pub fn may_run(&self, directory: &Path, read: &Path, skills: &[(&str, &str)]) -> Vec<bool> {
        if !self.sources.iter().any(
            |source| matches!(source, LayerSource::Directory(path, Trust::Untrusted) if path == directory),
        ) {
            return vec![true; skills.len()];
        }
        let mut checker = TrustChecker::new(self.trusts.as_ref(), self.trust_store(), own(&self.sources));
        skills.iter().map(|(name, dir)| checker.decide(read, name, dir).trust.may_run()).collect()
    }

    /// Returns a number that changes when the list of a server may have changed.
    pub(super) fn generation(&self) -> u64 {
        let servers = self.sources.iter().filter_map(|source| match source {
            LayerSource::Remote(remote) => Some(remote.0.generation()),
            _ => None,
        });
        servers.fold(0, u64::wrapping_add)
    }

    /// Reads the trusted directories, unless they are not needed.
    pub(super) fn trust_store(&self) -> TrustStore {
        match &self.trust_file {
            // The predicate of the program applies to workspaces, but not to servers.
            _ if self.trusts.is_some() && !self.sources.iter().any(is_remote) => TrustStore::default(),
            _ if !self.sources.iter().any(|source| {
                matches!(source, LayerSource::Directory(_, Trust::Untrusted)) || is_remote(source)
            }) =>
            {
                TrustStore::default()
            }
            Some(path) => TrustStore::read(path),
            None => TrustStore::of_user(),
        }
    }

    /// Returns the directories to read, and the file with the trusted directories if it is needed, as absolute
    /// paths.
    #[cfg(feature = "watch")]
    pub(super) fn roots(&self) -> Vec<PathBuf> {
        let directories = self.sources.iter().filter_map(|source| match source {
            LayerSource::Bundle(_) | LayerSource::Remote(_) => None,
            LayerSource::Tree(_, path) | LayerSource::Directory(path, _) => Some(super::roots::expand(path)),
        });
        let trust_file = self.trust_store().path().map(Path::to_owned);
        directories.chain(trust_file).map(|path| std::path::absolute(&path).unwrap_or(path)).collect()
    }

    pub(super) fn options(&self) -> Options {
        Options {
            profile: Profile::Disk,
            // Git's ignore rules do not matter at run time.
            read: ReadOptions { git: false, ..self.read.clone() },
            strictness: self.strictness,
            formats: self.formats,
            // The budget applies to the catalog of all layers together. The catalog is cut when it is
            // rendered.
            catalog_budget: Some(usize::MAX),
            ..Options::default()
        }
    }
}

fn is_remote(source: &LayerSource) -> bool {
    matches!(source, LayerSource::Remote(_))
}

impl fmt::Debug for LayersBuilder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("LayersBuilder")
            .field("sources", &self.sources)
            .field("strictness", &self.strictness)
            .field("formats", &self.formats)
            .field("read", &self.read)
            .finish_non_exhaustive()
    }
}
