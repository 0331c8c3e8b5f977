//! Tests the tool definitions of bundled skills for each API.
#![deny(missing_docs)]
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use serde_json::Value;
use skills::ToolFormat;

skills::skills!("skills/");

fn array(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap()
}

/// Returns the name of the tool in a definition.
fn name(tool: &Value) -> &str {
    tool.get("function").unwrap_or(tool)["name"].as_str().unwrap()
}

// SPEC 6.3: name, description and input schema, in the form of each interface.
#[test]
fn the_tools_are_the_functions_of_the_bundle() {
    let functions: Vec<&str> =
        SKILLS.iter().filter(|skill| skill.mode().is_some()).map(|skill| skill.name()).collect();
    assert!(functions.contains(&"code_review") && functions.contains(&"memory_search"));
    for format in ToolFormat::ALL {
        let all: &'static str = SKILLS.all_tools(format);
        let tools = array(all);
        for name in &functions {
            assert!(tools.iter().any(|tool| self::name(tool) == *name), "{name} for {format:?}");
        }
        for tool in &tools {
            let skill = SKILLS.get(name(tool)).unwrap();
            assert!(skill.is_model_invocable());
            assert_eq!(&serde_json::from_str::<Value>(skill.tool(format).unwrap()).unwrap(), tool);
        }
        assert_eq!(SKILLS.all_tools_with(format, &|_| true), all, "no bundled skill asks for a capability");
    }
}

// SPEC 6.3
#[test]
fn a_definition_carries_the_schema_of_the_input() {
    let text: &'static str = memory_search::tool(ToolFormat::Anthropic).unwrap();
    let tool: Value = serde_json::from_str(text).unwrap();
    let schema: Value = serde_json::from_str(memory_search::Input::schema()).unwrap();
    assert_eq!(tool["input_schema"], schema);
    assert_eq!(
        (&tool["name"], &tool["description"]),
        (&"memory_search".into(), &memory_search::DESCRIPTION.into())
    );
    assert_eq!(SKILLS.commit_message.tool(ToolFormat::Anthropic), None, "prose is not a function");
}

/// Returns the values of a skill that have types of their own, so that programs can name these types.
type Named = (Option<skills::Metadata<'static>>, Option<skills::Permissions>, Option<skills::Backend>);

// SPEC 8.11: a program that depends on the facade alone can name the types that the handle returns
#[test]
fn types_of_the_handle_have_names() {
    let of = |skill: skills::Skill<'static>| -> Named {
        (skill.metadata("author"), skill.permissions(), skill.backend())
    };
    let (author, permissions, backend) = of(SKILLS.find("code_review").unwrap());
    assert!(author.is_none() && permissions.is_none() && backend.is_some());
    let pinned: Option<skills::PinnedTool<&str>> = SKILLS.find("code_review").unwrap().pinned_tool();
    assert!(pinned.is_none());
}
