//! Converts the tools of a runner to tools of the protocol.

use rmcp::model::{SKILLS_EXTENSION_ID, Tool, ToolAnnotations};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use skills_call::Runner;
use skills_registry::{Mode, Skill, ToolFormat};
use skills_runtime::tools::{LoadSkillTool, SearchSkillsTool};

use super::{Key, Page, add_origin, cut_page};

/// Returns the tools, sorted by name.
pub(crate) fn tools(runner: &Runner) -> impl Iterator<Item = Tool> {
    sources(runner, true).into_iter().filter_map(|(_, source)| make_tool(runner, source))
}

/// Returns a page of tools. A client with the Skills extension loads skills through it, without a tool.
pub(crate) fn page(
    runner: &Runner,
    cursor: Option<&str>,
    has_extension: bool,
) -> Result<Page<Tool>, ErrorData> {
    cut_page(sources(runner, !has_extension).into_iter(), cursor, |source| make_tool(runner, source))
}

/// A tool before it is converted.
#[derive(Clone, Copy)]
enum Source<'a> {
    Skill(Skill<'a>),
    Search,
    Loader,
}

/// Returns the sources of tools, sorted by name: each skill, the search tool if it is enabled, and the tool that loads
/// skills. These two replace functions with the same names.
fn sources(runner: &Runner, is_loading: bool) -> Vec<(Key<'_>, Source<'_>)> {
    let skills = runner.skills().iter();
    let mut sources: Vec<(Key<'_>, Source<'_>)> =
        skills.map(|skill| ((skill.name(), "".into()), Source::Skill(skill))).collect();
    let search = runner.server_access().has_search().then_some((SearchSkillsTool::NAME, Source::Search));
    let loader = is_loading.then_some((LoadSkillTool::NAME, Source::Loader));
    for (name, source) in search.into_iter().chain(loader) {
        sources.retain(|((known, _), _)| *known != name);
        sources.push(((name, "".into()), source));
    }
    sources.sort_by(|(a, _), (b, _)| a.cmp(b));
    sources
}

fn make_tool(runner: &Runner, source: Source<'_>) -> Option<Tool> {
    let text = match source {
        Source::Skill(skill) => return tool(runner, skill),
        Source::Search => runner.server_access().search_tool(ToolFormat::Mcp)?,
        Source::Loader => runner.server_access().loader_tool(ToolFormat::Mcp)?,
    };
    let mut tool: Tool = serde_json::from_str(&text).ok()?;
    tool.annotations = Some(ToolAnnotations::new().read_only(true).open_world(false));
    Some(tool)
}

/// Finds a tool by name.
pub(crate) fn find(runner: &Runner, name: &str) -> Option<Tool> {
    if runner.server_access().has_search() && name == SearchSkillsTool::NAME {
        return make_tool(runner, Source::Search);
    }
    if name == LoadSkillTool::NAME
        && let Some(tool) = make_tool(runner, Source::Loader)
    {
        return Some(tool);
    }
    tool(runner, super::find(runner.skills(), name)?)
}

/// Returns `true` if a client declares the Skills extension, in its introduction or in the request.
pub(crate) fn has_extension(context: &RequestContext<RoleServer>) -> bool {
    let said = context.meta.0.0.get("io.modelcontextprotocol/clientCapabilities");
    let in_request = said.and_then(|said| said.get("extensions")?.get(SKILLS_EXTENSION_ID)).is_some();
    let introduced = context.peer.peer_info().and_then(|info| info.capabilities.extensions.clone());
    in_request || introduced.is_some_and(|extensions| extensions.contains_key(SKILLS_EXTENSION_ID))
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
    add_origin(&mut tool.meta, skill);
    Some(tool)
}
