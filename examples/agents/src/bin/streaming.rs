//! An agent that prints the answer while it arrives: `SKILLS_MODEL=gpt-5-mini cargo run -p agents --bin
//! streaming`.
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use std::io::{Write, stdout};
use std::sync::Arc;

use agents::{desk, question, run, variable};
use futures_util::StreamExt;
use skills::Failure;
use skills::model::{Answer, Delta, Finish, LanguageModel, Message, Request, Usage};
use skills::testing::ScriptedModel;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let model: Arc<dyn LanguageModel> = match variable("SKILLS_MODEL") {
        Some(name) => Arc::new(skills_genai::client(&name)?),
        None => Arc::new(script()),
    };
    let runner = desk();
    let system = format!("You answer from the notes of your user.{}", runner.prompt());
    let mut messages = vec![Message::system(system), Message::user(question())];
    loop {
        let request = Request::new(messages.clone()).with_tools(runner.tool_definitions());
        let mut pieces = model.stream(&request);
        let mut answer = Answer::default();
        while let Some(piece) = pieces.next().await {
            let piece = piece?;
            if let Delta::Text(text) = &piece {
                print!("{text}");
                stdout().flush()?;
            }
            answer.push(piece);
        }
        if !answer.text.is_empty() {
            println!();
        }
        messages.push(answer.clone().into_message());
        if answer.tool_calls.is_empty() {
            return Ok(());
        }
        for call in &answer.tool_calls {
            messages.push(run(&runner, call).await.into_message(call));
        }
    }
}

/// Returns a scripted model that answers in pieces, with text before a tool call.
fn script() -> ScriptedModel {
    let text = |text: &str| Delta::Text(text.to_owned());
    let arguments = |text: &str| Delta::ToolCallArguments { index: 0, text: text.to_owned() };
    let start = Delta::ToolCallStart { index: 0, id: "1".to_owned(), name: "find_notes".to_owned() };
    let end = |finish| Delta::End { finish, usage: Usage::default() };
    let call = [text("Let me "), text("look."), start, arguments(r#"{"topic""#), arguments(r#": "roses"}"#)];
    ScriptedModel::default().deltas(call.into_iter().chain([end(Finish::ToolCalls)])).deltas([
        text("Water the roses "),
        text("twice a week."),
        end(Finish::Stop),
    ])
}
