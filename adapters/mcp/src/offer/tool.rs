//! The tools of a runner become those of the protocol (SPEC 6.5, 11.4).

use rmcp::ErrorData;
use rmcp::model::{Tool, ToolAnnotations};
use skills_registry::{Mode, Skill, ToolFormat};
use skills_call::Runner;
use skills_runtime::tools::SearchSkillsTool;

use super::audience;
use super::page::{Key, Page, cut};

/// Returns the tools, sorted by name.
pub(crate) fn tools(runner: &Runner) -> impl Iterator<Item = Tool> {
    sources(runner).into_iter().filter_map(|(_, source)| made(runner, source))
}

/// Returns a page of them.
pub(crate) fn page(runner: &Runner, cursor: Option<&str>) -> Result<Page<Tool>, ErrorData> {
    cut(sources(runner).into_iter(), cursor, |source| made(runner, source))
}

/// Returns what a tool may be made of, sorted by name: each skill, and what finds skills where that is wanted (SPEC 16.7).
fn sources(runner: &Runner) -> Vec<(Key<'_>, Option<Skill<'_>>)> {
    let skills = runner.skills().skills().into_iter();
    let mut sources: Vec<(Key<'_>, Option<Skill<'_>>)> =
        skills.map(|skill| ((skill.name(), ""), Some(skill))).collect();
    if runner.has_search() {
        // No function of this name is a tool then.
        sources.retain(|((name, _), _)| *name != SearchSkillsTool::NAME);
        sources.push(((SearchSkillsTool::NAME, ""), None));
        sources.sort_by_key(|(key, _)| *key);
    }
    sources
}

fn made(runner: &Runner, source: Option<Skill<'_>>) -> Option<Tool> {
    match source {
        Some(skill) => tool(runner, skill),
        None => {
            let mut tool: Tool = serde_json::from_str(&runner.search_tool(ToolFormat::Mcp)?).ok()?;
            tool.annotations = Some(ToolAnnotations::new().read_only(true).open_world(false));
            Some(tool)
        }
    }
}

/// Finds the tool of a name.
pub(crate) fn find(runner: &Runner, name: &str) -> Option<Tool> {
    if runner.has_search() && name == SearchSkillsTool::NAME {
        return made(runner, None);
    }
    tool(runner, audience::find(runner.skills(), name)?)
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
