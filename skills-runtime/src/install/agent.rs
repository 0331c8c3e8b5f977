//! An agent and a scope become the target directory that `skills/` lies in (SPEC 9.4); chosen by the shells.

use std::path::{Path, PathBuf};

/// A program that reads skills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Any agent that reads the shared directory `.agents/skills`.
    Generic,
    /// OpenCode.
    OpenCode,
    /// Gemini CLI.
    Gemini,
    /// Goose.
    Goose,
    /// Cursor.
    Cursor,
    /// GitHub Copilot.
    Copilot,
}

/// For whom skills are installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope<'a> {
    /// For all who work in the project whose root this is.
    Project(&'a Path),
    /// For the user whose home directory this is, in all projects.
    User(&'a Path),
}

impl Agent {
    /// All agents, in the order of SPEC 9.4.
    pub const ALL: [Self; 8] = [
        Self::Claude,
        Self::Codex,
        Self::Generic,
        Self::OpenCode,
        Self::Gemini,
        Self::Goose,
        Self::Cursor,
        Self::Copilot,
    ];

    /// Returns the word for the agent on a command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Generic => "generic",
            Self::OpenCode => "opencode",
            Self::Gemini => "gemini",
            Self::Goose => "goose",
            Self::Cursor => "cursor",
            Self::Copilot => "copilot",
        }
    }

    /// Finds the agent of a word, as [`as_str`](Self::as_str) spells it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.as_str() == name)
    }

    /// Returns the target to install into: the directory that `skills/` lies in (SPEC 9.4).
    ///
    /// No variable of the environment is read; a user who moved an agent's directory names it as the target.
    ///
    /// ```
    /// use std::path::Path;
    /// use skills_runtime::install::{Agent, Scope};
    /// let target = Agent::Copilot.target(Scope::Project(Path::new("/project")));
    /// assert_eq!(target, Path::new("/project/.github"));
    /// ```
    #[must_use]
    pub fn target(self, scope: Scope<'_>) -> PathBuf {
        let (root, below) = match (self, scope) {
            (Self::Claude, Scope::Project(root) | Scope::User(root)) => (root, ".claude"),
            (Self::Codex | Self::Generic, Scope::Project(root) | Scope::User(root)) => (root, ".agents"),
            (Self::OpenCode, Scope::Project(root)) => (root, ".opencode"),
            (Self::OpenCode, Scope::User(root)) => (root, ".config/opencode"),
            (Self::Gemini, Scope::Project(root) | Scope::User(root)) => (root, ".gemini"),
            (Self::Goose, Scope::Project(root)) => (root, ".goose"),
            (Self::Goose, Scope::User(root)) => (root, ".config/goose"),
            (Self::Cursor, Scope::Project(root) | Scope::User(root)) => (root, ".cursor"),
            (Self::Copilot, Scope::Project(root)) => (root, ".github"),
            (Self::Copilot, Scope::User(root)) => (root, ".copilot"),
        };
        root.join(below)
    }
}
