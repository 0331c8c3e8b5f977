//! The tools of a runner become those of the protocol (SPEC 6.5, 11.4).

use rmcp::ErrorData;
use rmcp::model::{Tool, ToolAnnotations};
use skills_registry::{Mode, Skill, ToolFormat};
use skills_runtime::call::Runner;

use super::page::{Page, cut};

/// Returns the skills that are tools, sorted by name.
pub(crate) fn tools(runner: &Runner) -> impl Iterator<Item = Tool> {
    runner.skills().skills().into_iter().filter_map(|skill| tool(runner, skill))
}

/// Returns a page of them.
///
/// # Errors
/// The cursor is none of this server's.
pub(crate) fn page(runner: &Runner, cursor: Option<&str>) -> Result<Page<Tool>, ErrorData> {
    let skills = runner.skills().skills().into_iter().map(|skill| ((skill.name(), ""), skill));
    cut(skills, cursor, |skill| tool(runner, skill))
}

/// The key of the metadata of a tool that says what the skill's program asks to be allowed (SPEC 13.4).
const PERMISSIONS: &str = "skills/permissions";

/// Reads the definition that lies ready. Of what code does nothing is known, and the defaults of the protocol are the
/// careful ones; a skill that only asks a model changes nothing.
fn tool(runner: &Runner, skill: Skill<'_>) -> Option<Tool> {
    let mut tool: Tool = serde_json::from_str(&runner.tool(skill, ToolFormat::Mcp).ok()?).ok()?;
    if skill.mode() == Some(Mode::Llm) {
        tool.annotations = Some(ToolAnnotations::new().read_only(true).open_world(true));
    }
    if let Some(asked) = skill.permissions()
        && let Ok(asked) = serde_json::from_str(&asked.to_json())
    {
        tool.meta.get_or_insert_default().0.insert(PERMISSIONS.to_owned(), asked);
    }
    Some(tool)
}
