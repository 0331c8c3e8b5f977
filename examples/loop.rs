//! An agent in one function: a prompt, a model, tools, and a reply to each tool call until the model makes no more.
#![expect(clippy::print_stdout, reason = "an example prints its results")]

use skills::model::{LanguageModel, Message, Request};
use skills::{CallOptions, Failure, Runner};

skills::skills!("skills/");

async fn agent(
    runner: &Runner<impl Sized>,
    model: &dyn LanguageModel,
    question: &str,
) -> Result<String, Failure> {
    let system = format!("You are a careful engineer.{}", runner.prompt());
    let mut messages = vec![Message::system(system), Message::user(question)];
    loop {
        let request = Request::new(messages.clone()).with_tools(runner.tool_definitions());
        let answer = model.complete(&request).await?;
        messages.push(answer.clone().into_message());
        if answer.tool_calls.is_empty() {
            return Ok(answer.text);
        }
        for call in &answer.tool_calls {
            let result = runner.dispatch(&call.name, &call.arguments, &CallOptions::default()).await;
            println!(
                "{} {} -> {}",
                call.name,
                call.arguments,
                result.text.lines().next().unwrap_or_default()
            );
            messages.push(result.into_message(call));
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    // A model that answers from a script; a real one is `skills_genai::client("gpt-5")?`.
    let model = skills::testing::ScriptedModel::default()
        .tool_call("1", "load_skill", r#"{"name": "comit-message"}"#) // a typing error, corrected after the reply
        .tool_call("2", "load_skill", r#"{"name": "commit-message"}"#)
        .text("Say what changes, and why.");
    let runner = SKILLS.runner().model(model.clone());
    println!("{}", agent(&runner, &model, "How do I write a commit message?").await?);
    Ok(())
}
