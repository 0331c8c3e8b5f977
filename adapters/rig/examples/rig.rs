//! The agent of `examples/loop.rs` with rig: with rig's own loop, and with a loop over rig's model.
//!
//! ```text
//! cargo run --example rig                                        uses scripted models
//! OPENAI_BASE_URL=http://127.0.0.1:8080/v1 OPENAI_API_KEY=none SKILLS_MODEL=any cargo run --example rig
//! OPENAI_API_KEY=… SKILLS_MODEL=gpt-5 cargo run --example rig --features tls
//! ```
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use std::error::Error;

use rig_agent::prelude::{AgentBuilder, DynModel};
use rig_core::operation::Completion;
use rig_core::providers::openai::OpenAI;
use rig_core::test_utils::{MockCompletionModel, MockTurn};
use serde_json::json;
use skills::model::{LanguageModel, Message, Request};
use skills::{CallOptions, Context, Failure, Runner};

skills::skills!("../../examples/skills");

struct Desk;

impl Host for Desk {
    async fn find_notes(&self, input: find_notes::Input, _: &Context) -> Result<find_notes::Output, Failure> {
        let text = format!("{} wants water twice a week", input.topic);
        let note = find_notes::Note { title: "Garden".to_owned(), text, pinned: false };
        Ok(find_notes::Output { notes: vec![note] })
    }
}

/// Uses rig's loop with our tools.
async fn by_rig(
    runner: &Runner,
    model: DynModel<Completion>,
    question: &str,
) -> Result<String, Box<dyn Error>> {
    let agent = AgentBuilder::new(model)
        .preamble(format!("You answer from the notes of your user.{}", runner.prompt()))
        .dynamic_tools(skills_rig::tools(runner))
        .default_max_turns(5)
        .build();
    Ok(agent.prompt(question).await?.output())
}

/// Uses the loop of `examples/loop.rs` with a model of rig.
async fn by_hand(
    runner: &Runner,
    model: &dyn LanguageModel,
    question: &str,
) -> Result<String, Box<dyn Error>> {
    let system = format!("You answer from the notes of your user.{}", runner.prompt());
    let mut messages = vec![Message::system(system), Message::user(question)];
    loop {
        let request = Request::new(messages.clone()).with_tools(runner.tool_definitions());
        let answer = model.complete(&request).await?;
        messages.push(answer.clone().into_message());
        if answer.tool_calls.is_empty() {
            return Ok(answer.text);
        }
        for call in &answer.tool_calls {
            println!("  {} {}", call.name, call.arguments);
            let result = runner.dispatch(&call.name, &call.arguments, &CallOptions::default()).await;
            println!("  -> {}", result.text);
            messages.push(result.into_message(call));
        }
    }
}

/// Returns the model in `SKILLS_MODEL`, or else a scripted one, which first makes a mistake and then corrects
/// it.
fn model() -> Result<DynModel<Completion>, Box<dyn Error>> {
    if let Ok(name) = std::env::var("SKILLS_MODEL") {
        return Ok(OpenAI::from_env()?.completion(name).erase());
    }
    let script = MockCompletionModel::from_turns([
        MockTurn::tool_call("1", "find_notes", json!({"topics": "roses"})),
        MockTurn::tool_call("2", "find_notes", json!({"topic": "roses"})),
        MockTurn::text("Water the roses twice a week."),
    ]);
    Ok(script.erase())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let question = "When do I water the roses?";
    // A skill that calls a model, such as `tell`, uses rig's.
    let runner =
        || Ok::<_, Box<dyn Error>>(SKILLS.with(Desk).model(skills_rig::Model::new(model()?)).untyped());
    println!("rig: {}", by_rig(&runner()?, model()?, question).await?);
    println!("by hand: {}", by_hand(&runner()?, &skills_rig::Model::new(model()?), question).await?);
    Ok(())
}
