//! One layer: skills of one origin, with their functions and their trust.

use std::fmt;
use std::path::PathBuf;

use skills_registry::{Registry, Skill};
use skills_schema::Tables as Checker;
use skills_text::lower_bound;

use super::function::{Function, Functions, OwnedFunction};
use crate::Bundle;
use crate::trust::{CheckFault, Trust, TrustReason};

/// The source of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// Skills compiled into the program by this package. The name is empty if it is not known.
    Bundle(&'static str),
    /// The source directory of the bundle, read instead of the bundle. An absolute path.
    Source(PathBuf),
    /// A directory. An absolute path.
    Directory(PathBuf),
    /// A server, such as an MCP server.
    Server {
        /// The name that the host has given to it.
        label: String,
        /// Its address.
        server: String,
    },
}

impl Origin {
    /// Returns the directory, or `None` for the bundle and a server.
    pub fn path(&self) -> Option<&PathBuf> {
        match self {
            Self::Bundle(_) | Self::Server { .. } => None,
            Self::Source(path) | Self::Directory(path) => Some(path),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bundle("") => formatter.write_str("the bundle"),
            Self::Bundle(package) => write!(formatter, "the bundle of `{package}`"),
            Self::Source(path) | Self::Directory(path) => path.display().fmt(formatter),
            Self::Server { label, .. } => write!(formatter, "the MCP server `{label}`"),
        }
    }
}

/// A bundle as a part of layers: its skills, its package, and its functions if it was built with them.
#[derive(Clone, Copy, Debug)]
pub struct BundleParts {
    pub(super) registry: &'static Registry,
    pub(super) package: &'static str,
    pub(super) functions: Option<&'static Functions>,
}

impl BundleParts {
    /// Takes a bundle apart.
    pub fn new(bundle: &'static (impl Bundle + ?Sized)) -> Self {
        Self { registry: bundle.registry(), package: bundle.package(), functions: bundle.functions() }
    }
}

/// The skills of a layer: a static of the program, or tables in memory.
#[derive(Debug)]
pub enum Store {
    /// The skills of a bundle.
    Fixed(&'static Registry),
    /// Skills that were read at run time.
    Owned(Registry),
}

/// Whether the skills of a layer are trusted.
pub enum LayerTrust {
    /// All skills have the same trust.
    Equal(Trust),
    /// Trust was decided for each skill.
    Decided(Box<dyn TrustDecisions>),
}

/// The trust in each skill of a layer, by its row in the registry, and the checks right before a program runs. The loader
/// implements it. No method has a default, because a forgotten one would lower security.
pub trait TrustDecisions: Send + Sync {
    /// Returns whether and why a skill is trusted.
    fn trust(&self, row: u32) -> Trust;

    /// Returns why a skill is not trusted.
    fn reason(&self, row: u32) -> TrustReason;

    /// Finds a trusted skill that no longer exists: its directory, and how the trusted directory has changed.
    fn find_lost(&self, name: &str) -> Option<(PathBuf, String)>;

    /// Returns `true` if the files of the skill must be the files that were trusted or signed.
    fn is_fixed(&self, row: u32) -> bool;

    /// Checks again that the directory of a skill that the user writes is the recorded one.
    ///
    /// # Errors
    /// It is another directory, or another user can have changed its files.
    fn check_followed(&self, row: u32) -> Result<(), TrustReason>;

    /// Copies the files of the skill in `directory` that were trusted or signed into the empty directory `to`, and checks
    /// the copy. Returns the directory of the skill in the copy.
    ///
    /// # Errors
    /// The files have changed, or they cannot be copied.
    #[cfg(unix)]
    fn copy(
        &self,
        row: u32,
        directory: &std::path::Path,
        to: &std::path::Path,
    ) -> Result<PathBuf, CheckFault>;

    /// Checks the files where they are, on a system that cannot run a program from a private copy.
    ///
    /// # Errors
    /// The files have changed.
    #[cfg(not(unix))]
    fn check_in_place(&self, row: u32) -> Result<(), CheckFault>;
}

/// Skills of one origin, in the order of their names, with what is known about them.
pub struct Layer {
    /// The source.
    pub origin: Origin,
    /// The skills.
    pub store: Store,
    /// The declarations of the skills that were read at run time, by row.
    pub functions: Vec<OwnedFunction>,
    /// The trust in the skills.
    pub trust: LayerTrust,
    /// The real path of the directory when it was read.
    pub real: Option<PathBuf>,
    /// The bundle that this layer contains, or that it was read instead of.
    pub bundle: Option<BundleParts>,
}

impl Layer {
    /// Creates the layer of a bundle.
    pub fn from_bundle(bundle: BundleParts) -> Self {
        Self {
            origin: Origin::Bundle(bundle.package),
            store: Store::Fixed(bundle.registry),
            functions: Vec::new(),
            trust: LayerTrust::Equal(Trust::Program),
            real: None,
            bundle: Some(bundle),
        }
    }

    pub(super) fn registry(&self) -> &Registry {
        match &self.store {
            Store::Fixed(registry) => registry,
            Store::Owned(registry) => registry,
        }
    }

    /// Returns the row of the skill with exactly this name.
    pub(super) fn find_row(&self, name: &str) -> Option<u32> {
        let registry = self.registry();
        let count = u32::try_from(registry.len()).unwrap_or(u32::MAX);
        let row = lower_bound(count, |row| registry.row(row).name_bytes() < name.as_bytes());
        (row < count && registry.row(row).name_bytes() == name.as_bytes()).then_some(row)
    }

    /// Returns the names of the skills, and whether each may run, in registry order.
    pub(super) fn names(&self) -> Vec<(&str, bool)> {
        let rows = self.registry().iter().zip(0..);
        rows.map(|(skill, row)| (skill.name(), self.trust(row).may_run())).collect()
    }

    pub(super) fn trust(&self, row: u32) -> Trust {
        match &self.trust {
            LayerTrust::Equal(trust) => *trust,
            LayerTrust::Decided(decisions) => decisions.trust(row),
        }
    }

    pub(super) fn reason(&self, row: u32) -> TrustReason {
        self.decisions().map_or(TrustReason::Undecided, |decisions| decisions.reason(row))
    }

    pub(super) fn decisions(&self) -> Option<&dyn TrustDecisions> {
        match &self.trust {
            LayerTrust::Equal(_) => None,
            LayerTrust::Decided(decisions) => Some(&**decisions),
        }
    }

    /// Returns the bundle whose skills these are, and not one that was only replaced by its source directory.
    pub(super) fn own_bundle(&self) -> Option<BundleParts> {
        self.bundle.filter(|_| matches!(self.store, Store::Fixed(_)))
    }

    /// Returns `true` if a skill belongs to the bundle that this layer contains, or that it was read instead of.
    pub(super) fn is_of_bundle(&self, skill: Skill<'_>) -> bool {
        self.bundle.is_some_and(|bundle| bundle.registry.contains(skill))
    }

    /// Returns the function of a skill of this layer.
    pub(super) fn function<'a>(&'a self, row: u32, skill: Skill<'a>) -> Option<Function<'a>> {
        match self.own_bundle() {
            Some(bundle) => bundle.functions?.find(skill.name()),
            None => self.functions.get(usize::try_from(row).ok()?)?.bind(skill),
        }
    }

    /// Returns the checker of the input of a function, or of a program with a `schema`.
    pub(super) fn input_checker<'a>(&'a self, row: u32, skill: Skill<'a>) -> Option<&'a Checker> {
        match self.own_bundle() {
            Some(bundle) => bundle.functions?.input_checker(skill.name()),
            None => self.functions.get(usize::try_from(row).ok()?)?.input.as_ref(),
        }
    }
}
