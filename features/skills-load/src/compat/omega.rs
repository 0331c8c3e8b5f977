//! Loads the skills and projects of a data directory in the form of omega-skills, lists them, and fills the
//! directory with bundled skills.

use std::path::{Path, PathBuf};

use skills_core::catalog::ServerFacts as McpServer;
use skills_install::{InstallError, InstallOptions, Migration, Report};
use skills_registry::{CatalogEntry, Prompt, Registry, Style, Triggers};

use super::log_problems;
use crate::{LayersBuilder, Unreadable, expand};

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
/// by `tracing`; use [`Layers::problems`](crate::Layers::problems) to get them.
///
/// # Errors
/// If `DATA_DIR/skills` exists but is a file or cannot be listed.
pub fn load_skills(data_dir: impl AsRef<Path>) -> Result<Vec<Skill>, Unreadable> {
    let layers = LayersBuilder::new().directory(data_dir.as_ref().join("skills")).load()?;
    log_problems(layers.problems());
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ok(layers.iter().filter(|skill| skill.has_document()).map(|skill| convert_skill(skill, &path)).collect())
}

fn convert_skill(skill: skills_registry::Skill<'_>, path: &std::ffi::OsString) -> Skill {
    Skill {
        name: skill.name().to_owned(),
        description: skill.description().to_owned(),
        requires: skill.requires().map(str::to_owned).collect(),
        homepage: skill.homepage().unwrap_or_default().to_owned(),
        available: skill.is_available(path),
        path: PathBuf::from(skill.location()),
        trigger: skill.trigger().map(str::to_owned),
        mcp_servers: servers_of(skill),
    }
}

fn servers_of(skill: skills_registry::Skill<'_>) -> Vec<McpServer> {
    skill.mcp_servers().map(convert_server).collect()
}

fn convert_server(server: skills_registry::McpServer<'_>) -> McpServer {
    McpServer {
        name: server.name().to_owned(),
        command: server.command().to_owned(),
        args: server.args().map(str::to_owned).collect(),
        env: server.env().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
    }
}

/// Lists skills for the system prompt (omega-skills `build_skill_prompt`): the catalog in the style `omega`,
/// within its default budget. Each entry says whether the skill's programs are installed and where to read
/// the skill.
///
/// ```
/// use skills_load::compat::{Skill, build_skill_prompt};
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
    servers(
        skills
            .iter()
            .filter(|skill| skill.trigger.as_ref().is_some_and(|trigger| Triggers::fires(trigger, message))),
    )
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
/// [`load_projects`](crate::projects::load_projects) of the loader to get the problems.
pub fn load_projects(data_dir: impl AsRef<Path>) -> Vec<Project> {
    let loaded = crate::projects::load_projects(data_dir, None);
    for problem in &loaded.problems {
        tracing::warn!(target: "skills", code = problem.code, "{problem}");
    }
    loaded.projects.into_iter().map(convert_project).collect()
}

fn convert_project(project: skills_registry::Project) -> Project {
    Project {
        name: project.name().to_owned(),
        instructions: project.instructions().to_owned(),
        path: project.path().to_owned(),
        skills: project.skills().map(str::to_owned).collect(),
    }
}

/// Finds a project by its exact name and returns its instructions (omega-skills `get_project_instructions`).
/// Returns `None` if the name is unknown.
///
/// ```
/// use skills_load::compat::{Project, get_project_instructions};
/// let stocks = Project { name: "stocks".into(), instructions: "You track.".into(), ..Project::default() };
/// let projects = [stocks];
/// assert_eq!(get_project_instructions(&projects, "stocks"), Some("You track."));
/// assert_eq!(get_project_instructions(&projects, "Stocks"), None);
/// ```
pub fn get_project_instructions<'p>(projects: &'p [Project], name: &str) -> Option<&'p str> {
    projects.iter().find(|project| project.name == name).map(|project| project.instructions.as_str())
}

/// The name of the bundle in the lock file of these programs.
const BUNDLE: &str = "bundled";

/// Writes the skills of a bundle to `DATA_DIR/skills/NAME/…` (omega-skills `install_bundled_skills`).
///
/// Files that the user edited, deleted or added are never overwritten. All other files are updated. A leading
/// `~/` is the home directory. Call [`migrate_flat_skills`] first.
///
/// # Errors
/// See [`install`](skills_install::install()).
pub fn install_bundled_skills(bundle: &Registry, data_dir: impl AsRef<Path>) -> Result<Report, InstallError> {
    skills_install::install(bundle, expand(data_dir.as_ref()), &InstallOptions::new(BUNDLE))
}

/// Moves `DATA_DIR/skills/foo.md` to `DATA_DIR/skills/foo/SKILL.md`, unless `foo/` exists (omega-skills
/// `migrate_flat_skills`). A leading `~/` is the home directory.
///
/// # Errors
/// See [`migrate_flat_skills`](skills_install::migrate_flat_skills).
pub fn migrate_flat_skills(data_dir: impl AsRef<Path>) -> Result<Migration, InstallError> {
    skills_install::migrate_flat_skills(&expand(data_dir.as_ref()))
}
