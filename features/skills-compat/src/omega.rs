//! Functions of omega-skills that look something up in skills and projects.

use skills_registry::{McpServer, Project, Skill, Triggers};

/// Returns the MCP servers of the skills that a message triggers: [`Triggers::servers`] for a host without
/// capabilities.
pub fn match_skill_triggers<'a>(
    skills: impl IntoIterator<Item = Skill<'a>>,
    message: &str,
) -> Vec<McpServer<'a>> {
    Triggers::new().servers(skills, message)
}

/// Returns the MCP servers of all available skills: [`Triggers::all_servers`] for a host without
/// capabilities.
pub fn collect_all_mcp_servers<'a>(skills: impl IntoIterator<Item = Skill<'a>>) -> Vec<McpServer<'a>> {
    Triggers::new().all_servers(skills)
}

/// Finds a project by its exact name and returns its instructions, or `None` if the name is unknown.
///
/// ```
/// use skills_compat::get_project_instructions;
/// use skills_registry::Project;
/// static PROJECTS: [Project; 1] = [Project::fixed("stocks", "You track my portfolio.", &["ibkr-trader"])];
/// assert_eq!(get_project_instructions(&PROJECTS, "stocks"), Some("You track my portfolio."));
/// assert_eq!(get_project_instructions(&PROJECTS, "Stocks"), None);
/// ```
pub fn get_project_instructions<'p>(projects: &'p [Project], name: &str) -> Option<&'p str> {
    projects.iter().find(|project| project.name() == name).map(Project::instructions)
}
