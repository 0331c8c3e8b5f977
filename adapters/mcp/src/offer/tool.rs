//! Converts the tools of a runner to tools of the protocol.

use rmcp::ErrorData;
use rmcp::model::{Tool, ToolAnnotations};
use skills_call::Runner;
use skills_registry::{Mode, Skill, ToolFormat};
use skills_runtime::tools::SearchSkillsTool;

use super::audience;
use super::origin;
use super::page::{Key, Page, cut};

/// Returns the tools, sorted by name.
pub(crate) fn tools(runner: &Runner) -> impl Iterator<Item = Tool> {
    sources(runner).into_iter().filter_map(|(_, source)| made(runner, source))
}

/// Returns a page of tools.
pub(crate) fn page(runner: &Runner, cursor: Option<&str>) -> Result<Page<Tool>, ErrorData> {
    cut(sources(runner).into_iter(), cursor, |source| made(runner, source))
}

/// Returns the sources of tools, sorted by name: each skill, and the search tool if it is enabled.
fn sources(runner: &Runner) -> Vec<(Key<'_>, Option<Skill<'_>>)> {
    let skills = runner.skills().skills().into_iter();
    let mut sources: Vec<(Key<'_>, Option<Skill<'_>>)> =
        skills.map(|skill| ((skill.name(), "".into()), Some(skill))).collect();
    if runner.has_search() {
        // The search tool replaces a function with the same name.
        sources.retain(|((name, _), _)| *name != SearchSkillsTool::NAME);
        sources.push(((SearchSkillsTool::NAME, "".into()), None));
        sources.sort_by(|(a, _), (b, _)| a.cmp(b));
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

/// Finds a tool by name.
pub(crate) fn find(runner: &Runner, name: &str) -> Option<Tool> {
    if runner.has_search() && name == SearchSkillsTool::NAME {
        return made(runner, None);
    }
    tool(runner, audience::find(runner.skills(), name)?)
}

/// The metadata key of a tool for the requested permissions of its program.
const PERMISSIONS: &str = "skills/permissions";

/// Returns a tool from its stored definition. For code, the protocol's cautious default hints apply, since
/// its effects are unknown. A skill that only calls a model is marked as read-only.
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
    origin::add(&mut tool.meta, skill);
    Some(tool)
}
