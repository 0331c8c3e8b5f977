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

skills_text::__named!(Level, "level", { Allow = "allow", Warning = "warning", Error = "error" });
