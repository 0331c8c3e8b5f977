//! A data directory becomes skills in the shape of omega-skills, with what a program needs to start them.

use std::path::{Path, PathBuf};

use skills_core::catalog::Server as McpServer;
use skills_registry::Skill;

use super::tell;
use skills_load::{Layers, Problem, Unreadable};

/// A skill, and whether the programs it needs are installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramSkill {
    /// The name.
    pub name: String,
    /// What the skill is for.
    pub description: String,
    /// Programs the skill needs.
    pub requires: Vec<String>,
    /// The web page of the skill; empty when none is given.
    pub homepage: String,
    /// Whether all of `requires` are on `PATH` (SPEC 2.9).
    pub available: bool,
    /// The absolute path of its `SKILL.md`.
    pub path: PathBuf,
    /// Keywords that call for the skill, `a|b`.
    pub trigger: Option<String>,
    /// MCP servers the skill brings, in file order.
    pub mcp_servers: Vec<McpServer>,
}

/// Reads the skills of `DATA_DIR/skills`, sorted by name (omega-skills `load_skills`; SPEC 1.1, 1.7, 2.9).
///
/// A leading `~/` is the home directory. A missing directory has no skills; one without a description is skipped, and so
/// is one that asks for a capability of the host. What was skipped or repaired is in the problems beside the skills.
///
/// # Errors
/// `DATA_DIR/skills` is there and cannot be listed, or is a file.
pub fn load_skills(data_dir: impl AsRef<Path>) -> Result<(Vec<ProgramSkill>, Vec<Problem>), Unreadable> {
    let layers = Layers::builder().directory(data_dir.as_ref().join("skills")).load()?;
    tell(layers.problems());
    let path = std::env::var_os("PATH").unwrap_or_default();
    let convert = |skill: Skill<'_>| ProgramSkill {
        name: skill.name().to_owned(),
        description: skill.description().to_owned(),
        requires: skill.requires().map(str::to_owned).collect(),
        homepage: skill.homepage().unwrap_or_default().to_owned(),
        available: skill.is_available(&path),
        path: PathBuf::from(skill.location()),
        trigger: skill.trigger().map(str::to_owned),
        mcp_servers: servers(skill),
    };
    let skills = layers.iter().filter(|skill| skill.has_document()).map(convert).collect();
    Ok((skills, layers.problems().to_vec()))
}

fn servers(skill: Skill<'_>) -> Vec<McpServer> {
    let convert = |server: skills_registry::McpServer<'_>| McpServer {
        name: server.name().to_owned(),
        command: server.command().to_owned(),
        args: server.args().map(str::to_owned).collect(),
        env: server.env().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
    };
    skill.mcp_servers().map(convert).collect()
}
