//! Functions of omega-skills that look something up in loaded skills and projects.

use std::path::{Path, PathBuf};

use skills_core::catalog::Server as McpServer;
use skills_registry::{CatalogEntry, Prompt, Style, Triggers};

use crate::program::Skill;

/// Lists skills for the system prompt (omega-skills `build_skill_prompt`): the catalog in the style `omega`,
/// within its default budget. Each entry says whether the skill's programs are installed and where to read
/// the skill.
///
/// ```
/// use skills_compat::{Skill, build_skill_prompt};
/// let pdf = Skill { name: "pdf".into(), path: "/s/pdf/SKILL.md".into(), ..Skill::default() };
/// assert!(build_skill_prompt(&[pdf]).ends_with("- pdf [not installed]:  → Read /s/pdf/SKILL.md\n"));
/// assert_eq!(build_skill_prompt(&[]), "");
/// ```
pub fn build_skill_prompt(skills: &[Skill]) -> String {
    let paths: Vec<_> = skills.iter().map(|skill| skill.path.to_string_lossy()).collect();
    let entries = skills.iter().zip(&paths).map(|(skill, path)| CatalogEntry {
        name: &skill.name,
        description: &skill.description,
        location: path,
        installed: skill.available,
    });
    let entries: Vec<CatalogEntry<'_>> = entries.collect();
    Prompt::new(Style::Omega).render_entries(&entries)
}

/// Returns the MCP servers of the available skills that a message triggers (omega-skills
/// `match_skill_triggers`). If two have the same name, the first counts. [`Triggers`] does the same for the
/// skills of a registry.
pub fn match_skill_triggers(skills: &[Skill], message: &str) -> Vec<McpServer> {
    let fires = |trigger: &String| Triggers::fires(trigger, message);
    servers(skills.iter().filter(|skill| skill.trigger.as_ref().is_some_and(fires)))
}

/// Returns the MCP servers of all available skills (omega-skills `collect_all_mcp_servers`). If two have the
/// same name, the first counts.
pub fn collect_all_mcp_servers(skills: &[Skill]) -> Vec<McpServer> {
    servers(skills.iter())
}

fn servers<'a>(skills: impl Iterator<Item = &'a Skill>) -> Vec<McpServer> {
    let mut servers: Vec<McpServer> = Vec::new();
    for server in skills.filter(|skill| skill.available).flat_map(|skill| &skill.mcp_servers) {
        if servers.iter().all(|known| known.name != server.name) {
            servers.push(server.clone());
        }
    }
    servers
}

/// A project: instructions, and the skills that it uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Project {
    /// The name of its directory.
    pub name: String,
    /// The instructions.
    pub instructions: String,
    /// The absolute path of its directory.
    pub path: PathBuf,
    /// The skills that it uses.
    pub skills: Vec<String>,
}

/// Reads the projects of `DATA_DIR/projects`, sorted by name (omega-skills `load_projects`). A missing
/// directory has no projects. Skipped projects are reported by `tracing`; use
/// [`load_projects`](skills_load::projects::load_projects) of the loader to get the problems.
pub fn load_projects(data_dir: impl AsRef<Path>) -> Vec<Project> {
    let loaded = skills_load::projects::load_projects(data_dir, None);
    for problem in &loaded.problems {
        tracing::warn!(target: "skills", code = problem.code, "{problem}");
    }
    let convert = |project: skills_registry::Project| Project {
        name: project.name().to_owned(),
        instructions: project.instructions().to_owned(),
        path: project.path().map(Path::to_owned).unwrap_or_default(),
        skills: project.skills().map(str::to_owned).collect(),
    };
    loaded.projects.into_iter().map(convert).collect()
}

/// Finds a project by its exact name and returns its instructions (omega-skills `get_project_instructions`).
/// Returns `None` if the name is unknown.
///
/// ```
/// use skills_compat::{Project, get_project_instructions};
/// let stocks = Project { name: "stocks".into(), instructions: "You track.".into(), ..Project::default() };
/// let projects = [stocks];
/// assert_eq!(get_project_instructions(&projects, "stocks"), Some("You track."));
/// assert_eq!(get_project_instructions(&projects, "Stocks"), None);
/// ```
pub fn get_project_instructions<'p>(projects: &'p [Project], name: &str) -> Option<&'p str> {
    projects.iter().find(|project| project.name == name).map(|project| project.instructions.as_str())
}
