//! The severity of a problem, set by rules and stored in diagnostics.

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Not reported.
    Allow,
    /// Reported; the skill stays.
    Warning,
    /// Reported; the skill is left out, and a build fails.
    Error,
}

impl Level {
    /// Returns the word that reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}
