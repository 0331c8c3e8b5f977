//! The error when a directory of skills exists, but is not a directory or cannot be listed.

use std::fmt;

use super::layers::Layers;
use super::problem::Problem;

/// The error when existing directories could not be read.
///
/// Its `Display` is `read skills dir D: …` for each of them. [`into_layers`](Self::into_layers) returns the
/// contents of the other directories.
#[derive(Debug)]
pub struct Unreadable {
    pub(super) problems: Vec<Problem>,
    pub(super) layers: Box<Layers>,
}

impl Unreadable {
    /// Returns a problem for each directory.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the layers that could be read.
    ///
    /// ```
    /// use skills_load::{Layers, Unreadable};
    /// let skills = Layers::builder().directory("skills").load().unwrap_or_else(|error| {
    ///     eprintln!("{error}");
    ///     error.into_layers()
    /// });
    /// ```
    pub fn into_layers(self) -> Layers {
        *self.layers
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            let comma = if at == 0 { "" } else { "; " };
            write!(formatter, "{comma}{}", problem.title)?;
        }
        Ok(())
    }
}

impl std::error::Error for Unreadable {}
