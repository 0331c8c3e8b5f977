//! An agent that uses OpenAI's Chat Completions API directly: `OPENAI_API_KEY=… cargo run -p agents --bin
//! openai`.
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use agents::{desk, http, openai_server, question, run, variable};
use serde_json::{Value, json};
use skills::model::ToolCall;
use skills::{Failure, ToolFormat};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let (base_url, key) = openai_server()?;
    let model = variable("SKILLS_MODEL").unwrap_or_else(|| "gpt-5-mini".to_owned());
    let runner = desk();
    let tools: Value = serde_json::from_str(&runner.tools(ToolFormat::OpenAi))?;
    let system = format!("You answer from the notes of your user.{}", runner.prompt());
    let mut messages =
        vec![json!({"role": "system", "content": system}), json!({"role": "user", "content": question()})];
    let client = http(&base_url)?;
    loop {
        let body = json!({"model": model, "messages": messages, "tools": tools});
        let sent =
            client.post(format!("{base_url}/chat/completions")).bearer_auth(&key).json(&body).send().await?;
        let (status, mut answer) = (sent.status(), sent.json::<Value>().await?);
        if !status.is_success() {
            return Err(format!("{status}: {}", answer["error"]["message"]).into());
        }
        let message = answer["choices"][0]["message"].take();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        messages.push(message.clone());
        let Some(calls) = message["tool_calls"].as_array().filter(|calls| !calls.is_empty()) else {
            println!("{}", text(&message["content"]));
            return Ok(());
        };
        for call in calls {
            let (id, function) = (text(&call["id"]), &call["function"]);
            let call =
                ToolCall { id, name: text(&function["name"]), arguments: text(&function["arguments"]) };
            let result = run(&runner, &call).await;
            messages.push(json!({"role": "tool", "tool_call_id": call.id, "content": result.text}));
        }
    }
}
