//! Loads the skills of a data directory in the form of omega-skills, with the data that a program needs to
//! start them.

use std::path::{Path, PathBuf};

use super::log_problems;
use skills_core::catalog::Server as McpServer;
use skills_load::{Layers, Unreadable};

/// A skill, and whether its required programs are installed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skill {
    /// The name.
    pub name: String,
    /// The description.
    pub description: String,
    /// Programs that the skill requires.
    pub requires: Vec<String>,
    /// The web page of the skill; empty if none is given.
    pub homepage: String,
    /// Whether all of `requires` are on `PATH`.
    pub available: bool,
    /// The absolute path of its `SKILL.md`.
    pub path: PathBuf,
    /// The trigger keywords of the skill, `a|b`.
    pub trigger: Option<String>,
    /// MCP servers that the skill declares, in file order.
    pub mcp_servers: Vec<McpServer>,
}

/// Reads the skills of `DATA_DIR/skills`, sorted by name (omega-skills `load_skills`).
///
/// A leading `~/` is the home directory. A missing directory has no skills. Skills without a description are
/// skipped, and so are skills that require a capability of the host. Skipped and repaired skills are reported
/// by `tracing`; use [`Layers::problems`] to get them.
///
/// # Errors
/// If `DATA_DIR/skills` exists but is a file or cannot be listed.
pub fn load_skills(data_dir: impl AsRef<Path>) -> Result<Vec<Skill>, Unreadable> {
    let layers = Layers::builder().directory(data_dir.as_ref().join("skills")).load()?;
    log_problems(layers.problems());
    let path = std::env::var_os("PATH").unwrap_or_default();
    let convert = |skill: skills_registry::Skill<'_>| Skill {
        name: skill.name().to_owned(),
        description: skill.description().to_owned(),
        requires: skill.requires().map(str::to_owned).collect(),
        homepage: skill.homepage().unwrap_or_default().to_owned(),
        available: skill.is_available(&path),
        path: PathBuf::from(skill.location()),
        trigger: skill.trigger().map(str::to_owned),
        mcp_servers: servers(skill),
    };
    Ok(layers.iter().filter(|skill| skill.has_document()).map(convert).collect())
}

fn servers(skill: skills_registry::Skill<'_>) -> Vec<McpServer> {
    let convert = |server: skills_registry::McpServer<'_>| McpServer {
        name: server.name().to_owned(),
        command: server.command().to_owned(),
        args: server.args().map(str::to_owned).collect(),
        env: server.env().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
    };
    skill.mcp_servers().map(convert).collect()
}
