//! Names the place for skills: the directory `skills/` of a target, or a directory itself.

use std::path::{Path, PathBuf};

/// The directory below a target that contains the skills.
const SKILLS: &str = "skills";

/// The place where skills are installed.
///
/// A path means the directory that contains `skills/`, such as `.claude`.
///
/// ```
/// use skills_install::Target;
/// assert_eq!(Target::from(".claude").skills(), std::path::Path::new(".claude/skills"));
/// assert_eq!(Target::directory("prompts").skills(), std::path::Path::new("prompts"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The directory that must exist, or is created first.
    pub(super) above: PathBuf,
    /// The directory of the skills below it; empty if it is that directory itself.
    pub(super) below: &'static str,
}

impl Target {
    /// Installs each skill directly below a directory, without `skills/` between them.
    #[must_use]
    pub fn directory(path: impl Into<PathBuf>) -> Self {
        Self { above: path.into(), below: "" }
    }

    /// Returns the directory that contains the skills.
    #[must_use]
    pub fn skills(&self) -> PathBuf {
        if self.below.is_empty() { self.above.clone() } else { self.above.join(self.below) }
    }
}

impl From<PathBuf> for Target {
    fn from(path: PathBuf) -> Self {
        Self { above: path, below: SKILLS }
    }
}

macro_rules! from {
    ($($path:ty),+) => {
        $(impl From<$path> for Target {
            fn from(path: $path) -> Self {
                PathBuf::from(path).into()
            }
        })+
    };
}

from!(&Path, &PathBuf, &str, String, &String, &std::ffi::OsStr, std::ffi::OsString);
