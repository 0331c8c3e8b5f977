//! The error of reading directories: one is there, and is no directory or cannot be listed (SPEC 1.2).

use std::fmt;

use super::layers::Layers;
use super::problem::Problem;

/// Directories that are there could not be read.
///
/// Its `Display` is `read skills dir D: …`, for each of them. What the other directories hold is not lost:
/// [`into_layers`](Self::into_layers).
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

    /// Goes on with what could be read.
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
