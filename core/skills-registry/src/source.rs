//! Names the source of a skill that was added from another project.

use std::fmt;

/// The source of a skill that was added from another project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source<'a> {
    /// The source, such as `acme/skills@v1` or `crate:NAME`.
    pub name: &'a str,
    /// The commit, or the version of the package. `None` for a directory.
    pub revision: Option<&'a str>,
}

impl fmt::Display for Source<'_> {
    /// Writes the source, and the revision in parentheses.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)?;
        match self.revision {
            Some(revision) => write!(formatter, " ({revision})"),
            None => Ok(()),
        }
    }
}
