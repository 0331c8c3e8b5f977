//! Skills that can be called become tools (SPEC 6.3, 11.4).

use rmcp::ErrorData;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value};
use skills_registry::{Mode, Skill};
use skills_runtime::call::Runner;
use skills_schema::tools::{Format, define, schema_of};

use crate::page::{Page, cut};

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

/// Tells whether there is a tool of this name.
pub(crate) fn is_tool(runner: &Runner, name: &str) -> bool {
    runner.skills().skill(name).is_some_and(|skill| tool(runner, skill).is_some())
}

/// Defines the tool that a skill is; nothing for one that cannot be called, is kept from models, or that takes no
/// objects.
fn tool(runner: &Runner, skill: Skill<'_>) -> Option<Tool> {
    if !skill.is_model_invocable() || !runner.is_callable(skill.name()) {
        return None;
    }
    let (file, input) = skill.input_document()?;
    let input = schema_of(skill, file, input);
    let output = skill.output_schema().map(|output| schema_of(skill, "skill.json", output));
    let offered = skills_schema::tools::Tool {
        name: skill.name(),
        description: skill.description(),
        input: &input,
        output: output.as_ref(),
    };
    let definition = define(&offered, Format::Mcp);
    let mut members: Map<String, Value> = serde_json::from_str(&definition.ok()?.to_string()).ok()?;
    let Some(Value::Object(input)) = members.remove("inputSchema") else { return None };
    let tool = Tool::new(skill.name().to_owned(), skill.description().to_owned(), input);
    let tool = match members.remove("outputSchema") {
        Some(Value::Object(output)) => tool.with_raw_output_schema(output.into()),
        _ => tool,
    };
    Some(match annotations(skill) {
        Some(annotations) => tool.with_annotations(annotations),
        None => tool,
    })
}

/// Says what is known of what a tool does. Of code nothing is, and the defaults of the protocol are the careful ones; a
/// skill that only asks a model changes nothing.
fn annotations(skill: Skill<'_>) -> Option<ToolAnnotations> {
    (skill.mode() == Some(Mode::Llm)).then(|| ToolAnnotations::new().read_only(true).open_world(true))
}
