//! An agent with a sub-agent: the tool `research` is a second loop, with other skills and another model.
//!
//! `SKILLS_MODEL=claude-sonnet-4-5 SKILLS_SMALL_MODEL=claude-haiku-4-5 cargo run -p agents --bin sub_agent`
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use std::sync::Arc;

use agents::{desk, question, run, variable};
use serde_json::{Value, json};
use skills::model::{LanguageModel, Message, Request, ToolDefinition, ToolResult};
use skills::testing::ScriptedModel;
use skills::{Failure, Runner};

type Model = Arc<dyn LanguageModel>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let helper_script = ScriptedModel::default()
        .tool_call("1", "find_notes", r#"{"topic": "roses"}"#)
        .text("Garden: roses want water twice a week.");
    let script = ScriptedModel::default()
        .tool_call("1", "research", r#"{"question": "How often do roses want water?"}"#)
        .text("Water the roses twice a week.");
    let (model, small) = (model("SKILLS_MODEL", script)?, model("SKILLS_SMALL_MODEL", helper_script)?);

    // Each agent has its part: the helper only has the skill that reads notes, and the first agent does not
    // have it.
    let helper = desk().only(|skill| skill.name() == "find_notes");
    let runner = desk().only(|skill| skill.name() != "find_notes");
    let mut tools = runner.tool_definitions();
    tools.push(ToolDefinition {
        name: "research".to_owned(),
        description: "Asks a helper who can read the notes of the user.".to_owned(),
        parameters: json!({
            "type": "object", "properties": {"question": {"type": "string"}}, "required": ["question"],
        }),
    });
    let mut messages = vec![Message::system("You answer your user."), Message::user(question())];
    loop {
        let answer = model.complete(&Request::new(messages.clone()).with_tools(tools.clone())).await?;
        messages.push(answer.clone().into_message());
        if answer.tool_calls.is_empty() {
            println!("{}", answer.text);
            return Ok(());
        }
        for call in &answer.tool_calls {
            if call.name != "research" {
                messages.push(run(&runner, call).await.into_message(call));
                continue;
            }
            println!("research {}", call.arguments);
            let (content, is_error) = match research(&helper, &small, &call.arguments).await {
                Ok(text) => (text, false),
                Err(error) => (error.to_string(), true),
            };
            println!("-> {content}");
            let mut result = ToolResult::new(&call.id, &call.name, content);
            result.is_error = is_error;
            messages.push(Message::tool(result));
        }
    }
}

/// Runs the second loop. The main agent does not see its conversation, only its last text as the result of
/// the tool.
async fn research(runner: &Runner<impl Sized>, model: &Model, arguments: &str) -> Result<String, Failure> {
    let arguments: Value = serde_json::from_str(arguments)?;
    let question = arguments["question"].as_str().ok_or("`question` is missing")?;
    let mut messages = vec![Message::system("You read notes."), Message::user(question)];
    for _ in 0..8 {
        let request = Request::new(messages.clone()).with_tools(runner.tool_definitions());
        let answer = model.complete(&request).await?;
        messages.push(answer.clone().into_message());
        if answer.tool_calls.is_empty() {
            return Ok(answer.text);
        }
        for call in &answer.tool_calls {
            messages.push(run(runner, call).await.into_message(call));
        }
    }
    Err("the helper did not finish".into())
}

fn model(name: &str, script: ScriptedModel) -> Result<Model, Failure> {
    let name = variable(name).or_else(|| variable("SKILLS_MODEL"));
    Ok(match name {
        Some(name) => Arc::new(skills_genai::client(&name)?),
        None => Arc::new(script),
    })
}
