//! A skill, and the layer it is from.

use std::fmt;
use std::path::PathBuf;

use skills_registry::Skill;

use crate::trust::Trust;

/// What a layer was made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Origin {
    /// Skills that are part of the program, bundled by this package; empty when that is not known.
    Bundle(&'static str),
    /// The directory that the bundle is made of, read in its place; an absolute path.
    Source(PathBuf),
    /// A directory; an absolute path.
    Directory(PathBuf),
}

impl Origin {
    /// Returns the directory; nothing for the bundle.
    pub fn path(&self) -> Option<&PathBuf> {
        match self {
            Self::Bundle(_) => None,
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
        }
    }
}

/// A skill of a [`Layers`](super::Layers), with the layer it is from.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The skill.
    pub skill: Skill<'a>,
    /// Its layer.
    pub origin: &'a Origin,
    /// Whether a capability that it needs is refused, so that lists and look-ups leave it out (SPEC 2.9).
    pub gated: bool,
    /// Who answers for the place it is from (SPEC 14.8).
    pub trust: Trust,
}

impl Found<'_> {
    /// Returns the absolute path of the skill's directory; nothing for a skill that is only in the program.
    pub fn directory(&self) -> Option<PathBuf> {
        let below = |root: &PathBuf| match self.skill.dir() {
            "" => root.clone(),
            dir => root.join(dir),
        };
        self.origin.path().map(below)
    }
}

/// A skill that is hidden by one of a higher layer (SPEC 1.6).
#[derive(Clone, Copy, Debug)]
pub struct Shadowed<'a> {
    /// The hidden skill.
    pub lost: Found<'a>,
    /// The skill that hides it; a twin's name differs in `-` and `_` (SPEC 1.5).
    pub won: Found<'a>,
}
