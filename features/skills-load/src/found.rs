//! A skill together with its layer.

use std::fmt;
use std::path::PathBuf;

use skills_registry::Skill;

use crate::trust::Trust;

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

/// A skill of a [`Layers`](super::Layers), with its layer.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The skill.
    pub skill: Skill<'a>,
    /// Its layer.
    pub origin: &'a Origin,
    /// Whether a required capability is refused, so that lists and look-ups leave it out.
    pub gated: bool,
    /// Whether and why it is trusted.
    pub trust: Trust,
}

impl Found<'_> {
    /// Returns `true` if the skill can be listed, found, run and shown to a model: it is trusted, and every
    /// capability that it requires is granted.
    pub fn is_offered(&self) -> bool {
        !self.gated && self.trust.may_run()
    }

    /// Returns `true` if the skill would be offered if it were trusted.
    pub fn is_withheld(&self) -> bool {
        !self.gated && !self.trust.may_run()
    }

    /// Returns `true` if the skill is offered by a host with these capabilities.
    pub(super) fn is_offered_with(&self, grants: &dyn Fn(&str) -> bool) -> bool {
        Self { gated: self.skill.is_gated(grants), ..*self }.is_offered()
    }

    /// Returns the absolute path of the skill's directory, or `None` for a skill that is only in the program.
    pub fn directory(&self) -> Option<PathBuf> {
        self.origin.path().map(|root| match self.skill.dir() {
            "" => root.clone(),
            dir => root.join(dir),
        })
    }
}

/// A skill that is hidden by a skill of a higher layer.
#[derive(Clone, Copy, Debug)]
pub struct Shadowed<'a> {
    /// The hidden skill.
    pub lost: Found<'a>,
    /// The skill that hides it. Its name may differ in `-` and `_`.
    pub won: Found<'a>,
}
