//! An agent in one function: a prompt, a model, tools, and an answer to each call until there is none.
//!
//! The model reads its answers from a script, so this runs anywhere; `cargo run -p skills-genai --example agent` is the same
//! with a real one.
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use std::sync::Arc;

use skills::model::{Answer, LanguageModel, Message, Request, ToolCall};
use skills::testing::ScriptedModel;
use skills::{CallOptions, Context, Failure, Runner};

skills::skills!("examples/skills");

struct Desk;

impl Host for Desk {
    async fn find_notes(&self, input: find_notes::Input, _: &Context) -> Result<find_notes::Output, Failure> {
        let text = format!("{} wants water twice a week", input.topic);
        let note = find_notes::Note { title: "Garden".to_owned(), text, pinned: false };
        Ok(find_notes::Output { notes: vec![note] })
    }
}

async fn agent(
    runner: &Runner<impl Sized>,
    model: Arc<dyn LanguageModel>,
    question: &str,
) -> Result<String, Failure> {
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

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let call = |name: &str, arguments: &str| {
        let call = ToolCall { id: "1".to_owned(), name: name.to_owned(), arguments: arguments.to_owned() };
        Answer::new("").with_tool_calls(vec![call])
    };
    // A slip first: the model is told what is wrong, and mends it.
    let model = ScriptedModel::default()
        .answer(call("find_notes", r#"{"topics": "roses"}"#))
        .answer(call("find_notes", r#"{"topic": "roses"}"#))
        .text("Water the roses twice a week.");
    let runner = SKILLS.with(Desk).model(model.clone());
    println!("{}", agent(&runner, Arc::new(model), "When do I water the roses?").await?);
    Ok(())
}
