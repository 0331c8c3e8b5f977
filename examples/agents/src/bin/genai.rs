//! An agent for any model that skills-genai supports: `SKILLS_MODEL=claude-sonnet-4-5 cargo run -p agents
//! --bin genai`.
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use agents::{Script, desk, question, run, variable};
use serde_json::{Value, json};
use skills::Failure;
use skills::model::{LanguageModel, Message, Request};
use skills_genai::Genai;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let model = model()?;
    let runner = desk();
    let system = format!("You answer from the notes of your user.{}", runner.prompt());
    let mut messages = vec![Message::system(system), Message::user(question())];
    loop {
        let request = Request::new(messages.clone()).with_tools(runner.tool_definitions());
        let answer = model.complete(&request).await?;
        messages.push(answer.clone().into_message());
        if answer.tool_calls.is_empty() {
            println!("{}", answer.text);
            return Ok(());
        }
        for call in &answer.tool_calls {
            messages.push(run(&runner, call).await.into_message(call));
        }
    }
}

/// Returns the model from the environment: its name, and for your own server its base URL.
fn model() -> Result<Genai, Failure> {
    if let Some(name) = variable("SKILLS_MODEL") {
        let client = Genai::builder(name);
        return Ok(match variable("SKILLS_BASE_URL") {
            Some(url) => client.base_url(url).build()?,
            None => client.build()?,
        });
    }
    let choice = |message: Value, finish: &str| json!({"choices": [{"index": 0, "delta": message, "finish_reason": finish}]});
    let arguments = r#"{"topic": "roses"}"#;
    let call = json!({"index": 0, "id": "1", "type": "function", "function": {"name": "find_notes", "arguments": arguments}});
    let call = json!({"role": "assistant", "content": null, "tool_calls": [call]});
    let text = json!({"role": "assistant", "content": "Water the roses twice a week."});
    let url = Script::default()
        .turn(&["POST /v1/chat/completions", r#""name":"find_notes""#], choice(call, "tool_calls"))
        .turn(&[r#""tool_call_id":"1""#, "twice a week"], choice(text, "stop"))
        .serve()?;
    Ok(Genai::builder("scripted").base_url(format!("{url}/v1")).build()?)
}
