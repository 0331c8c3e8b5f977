//! The reasons why a bundled skill cannot be unpacked.

use std::error::Error;
use std::fmt;

/// The reason why a bundled skill cannot be unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheError {
    /// A path is empty, absolute, or has a component such as `..`.
    Path {
        /// The path as it was given.
        path: String,
    },
    /// A path is listed twice, or both as a file and as a directory.
    Collision {
        /// The second of the two paths.
        path: String,
    },
    /// Neither the cache nor a temporary directory can be used.
    Unusable {
        /// Each place with its reason.
        refused: String,
    },
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path { path } => {
                write!(f, "cannot unpack {path:?}: the path does not stay inside the skill")
            }
            Self::Collision { path } => write!(f, "cannot unpack {path:?}: another file has this path"),
            Self::Unusable { refused } => write!(f, "no place to unpack the skill: {refused}"),
        }
    }
}

impl Error for CacheError {}
