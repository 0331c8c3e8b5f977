//! Finds the target directory, which contains `skills/`, for an agent and a scope. The shells choose both.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use skills_text::UnknownName;

use super::clients::{CLIENTS, Client, client};

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
    /// Another client of the client table.
    Other(&'static Client),
}

/// The users for whom skills are installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scope<'a> {
    /// Everyone who works in the project with this root.
    Project(&'a Path),
    /// The user with this home directory, in all projects.
    User(&'a Path),
}

impl Agent {
    /// All built-in agents, in the order in which they are listed.
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

    /// Returns all known agents: first the built-in agents, then the agents of the client table.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().chain(CLIENTS.iter().map(Self::Other))
    }

    /// Returns the facts about the agent.
    fn client(self) -> Client {
        match self {
            Self::Claude => client("claude", ".claude", Some(".claude"), &["~/.claude", "./.claude"]),
            Self::Codex => client("codex", ".agents", Some(".agents"), &["~/.codex"]),
            // Several agents read these directories, so they do not identify one agent.
            Self::Generic => client("generic", ".agents", Some(".agents"), &["./.agents"]),
            Self::OpenCode => client(
                "opencode",
                ".opencode",
                Some(".config/opencode"),
                &["~/.config/opencode", "./.opencode"],
            ),
            Self::Gemini => client("gemini", ".gemini", Some(".gemini"), &["~/.gemini", "./.gemini"]),
            Self::Goose => client("goose", ".goose", Some(".config/goose"), &["~/.config/goose", "./.goose"]),
            Self::Cursor => client("cursor", ".cursor", Some(".cursor"), &["~/.cursor", "./.cursor"]),
            Self::Copilot => client("copilot", ".github", Some(".copilot"), &["~/.copilot"]),
            Self::Other(client) => *client,
        }
    }

    /// Returns `true` if the agent seems to be used on this machine or in this project, because directories
    /// that it creates exist.
    #[must_use]
    pub fn is_present(self, home: Option<&Path>, project: &Path) -> bool {
        self.client().marks.iter().any(|mark| match mark.split_once('/') {
            Some(("~", below)) => home.is_some_and(|home| home.join(below).exists()),
            Some((_, below)) => project.join(below).exists(),
            None => false,
        })
    }

    /// Returns the name of the agent on a command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.client().name
    }

    /// Returns the target to install into: the directory that contains `skills/`.
    ///
    /// Reads no environment variables. If a user has moved the directory of an agent, the user must name it
    /// as the target.
    ///
    /// ```
    /// use std::path::Path;
    /// use skills_install::{Agent, Scope};
    /// let target = Agent::Copilot.target(Scope::Project(Path::new("/project")));
    /// assert_eq!(target, Path::new("/project/.github"));
    /// ```
    #[must_use]
    pub fn target(self, scope: Scope<'_>) -> PathBuf {
        let Client { project, user, .. } = self.client();
        match scope {
            Scope::Project(root) => root.join(project),
            // If a client does not read skills from the user's home, the shared directory is used.
            Scope::User(root) => root.join(user.unwrap_or(".agents")),
        }
    }
}

skills_text::__named!(Agent);

/// Accepts the spelling of [`Agent::as_str`] and that of the table.
impl FromStr for Agent {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let own = match name {
            "claude-code" => "claude",
            "gemini-cli" => "gemini",
            "github-copilot" => "copilot",
            "universal" => "generic",
            name => name,
        };
        let found = Self::all().find(|agent| agent.as_str() == own);
        found.ok_or_else(|| UnknownName::new("known agent", name, &Self::ALL.map(Self::as_str)))
    }
}
