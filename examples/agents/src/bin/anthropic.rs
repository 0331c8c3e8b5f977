//! An agent that uses Anthropic's Messages API directly: `ANTHROPIC_API_KEY=… cargo run -p agents --bin
//! anthropic`.
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use agents::{Script, desk, http, question, run, variable};
use serde_json::{Value, json};
use skills::model::ToolCall;
use skills::{Failure, ToolFormat};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let (base_url, key) = server()?;
    let model = variable("SKILLS_MODEL").unwrap_or_else(|| "claude-sonnet-4-5".to_owned());
    let runner = desk();
    let tools: Value = serde_json::from_str(&runner.tools(ToolFormat::Anthropic))?;
    let system = format!("You answer from the notes of your user.{}", runner.prompt());
    let mut messages = vec![json!({"role": "user", "content": question()})];
    let client = http(&base_url)?;
    loop {
        let body = json!({"model": model, "max_tokens": 2048, "system": system, "messages": messages, "tools": tools});
        let request =
            client.post(format!("{base_url}/v1/messages")).header("anthropic-version", "2023-06-01");
        let sent = request.header("x-api-key", &key).json(&body).send().await?;
        let (status, answer) = (sent.status(), sent.json::<Value>().await?);
        if !status.is_success() {
            return Err(format!("{status}: {}", answer["error"]["message"]).into());
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        messages.push(json!({"role": "assistant", "content": answer["content"]}));
        let mut results = Vec::new();
        for block in answer["content"].as_array().into_iter().flatten() {
            match block["type"].as_str() {
                Some("text") => println!("{}", text(&block["text"])),
                Some("tool_use") => {
                    let (id, arguments) = (text(&block["id"]), block["input"].to_string());
                    let call = ToolCall { id, name: text(&block["name"]), arguments };
                    let result = run(&runner, &call).await;
                    let (content, is_error) = (result.text, result.is_error);
                    results.push(json!({
                        "type": "tool_result", "tool_use_id": call.id, "content": content, "is_error": is_error,
                    }));
                }
                _ => {}
            }
        }
        if results.is_empty() {
            return Ok(());
        }
        // All results are sent back in one message, before any other text.
        messages.push(json!({"role": "user", "content": results}));
    }
}

/// Returns the URL and key of the server, or of a scripted server.
fn server() -> Result<(String, String), Failure> {
    if let Some(key) = variable("ANTHROPIC_API_KEY") {
        let url = variable("ANTHROPIC_BASE_URL").unwrap_or_else(|| "https://api.anthropic.com".to_owned());
        return Ok((url.trim_end_matches('/').to_owned(), key));
    }
    let call = json!({"type": "tool_use", "id": "1", "name": "find_notes", "input": {"topic": "roses"}});
    let text = json!({"type": "text", "text": "Water the roses twice a week."});
    let url = Script::default()
        .turn(
            &["POST /v1/messages", "x-api-key: scripted", "anthropic-version: ", r#""input_schema""#],
            json!({"content": [call], "stop_reason": "tool_use"}),
        )
        .turn(
            &[r#""tool_use_id":"1""#, r#""is_error":false"#, "twice a week"],
            json!({"content": [text], "stop_reason": "end_turn"}),
        )
        .serve()?;
    Ok((url, "scripted".to_owned()))
}
