//! Converts a [`Request`] to the body of Anthropic's Messages API.

use serde_json::{Map, Value, json};
use skills_call::model::{Media, MediaSource, Message, Part, Request, Role};

use crate::target::Target;
use crate::{request, schema};

/// Returns the body.
pub(crate) fn payload(target: &Target, request: &Request, is_stream: bool) -> Value {
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| drop(body.insert(key.to_owned(), value));
    set("model", target.model.as_str().into());
    set("stream", is_stream.into());
    set("max_tokens", request.max_tokens.or(target.max_tokens).unwrap_or_else(|| most(&target.model)).into());
    if let Some(said) = request::system(&request.messages) {
        set("system", said.into());
    }
    set("messages", request::turns(&request.messages).filter_map(turn).collect());
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({ "name": tool.name, "description": tool.description, "input_schema": tool.parameters })
        });
        set("tools", tools.collect());
    }
    if let Some(temperature) = request.temperature {
        set("temperature", temperature.into());
    }
    let wanted = request.response_schema.as_ref().filter(|_| target.holds_schemas);
    if let Some(schema) = wanted.and_then(|wanted| schema::output_format(&target.model, wanted)) {
        set("output_config", json!({ "format": { "type": "json_schema", "schema": schema } }));
    }
    Value::Object(body)
}

/// Returns the default maximum length of answers, which this API requires: the limit of the model.
fn most(model: &str) -> u32 {
    const SHORT: [(&str, u32); 7] = [
        ("claude-3-opus", 4096),
        ("claude-3-haiku", 4096),
        ("claude-3-sonnet", 4096),
        ("claude-3-5", 8192),
        ("claude-opus-4-0", 32_000),
        ("claude-opus-4-1", 32_000),
        ("claude-opus-4-2", 32_000), // the date of its first version
    ];
    SHORT.iter().find(|(start, _)| model.starts_with(start)).map_or(64_000, |(_, most)| *most)
}

/// Converts a message, or consecutive tool results. Returns `None` if it belongs elsewhere in the body or
/// would be empty.
fn turn(turn: &[Message]) -> Option<Value> {
    let message = turn.first()?;
    let role = match message.role {
        Role::System => return None,
        Role::Assistant => "assistant",
        _ => "user",
    };
    let is_text = message.parts.iter().all(|part| matches!(part, Part::Text(_)));
    let content = match message.role {
        Role::Assistant | Role::Tool => parts(turn),
        _ if is_text => message.text().into(),
        _ => parts(turn),
    };
    // Providers refuse a message without content.
    let is_empty = content.as_array().is_some_and(Vec::is_empty);
    (!is_empty).then(|| json!({ "role": role, "content": content }))
}

fn parts(turn: &[Message]) -> Value {
    turn.iter().flat_map(|message| &message.parts).filter_map(part).collect()
}

fn part(part: &Part) -> Option<Value> {
    Some(match part {
        Part::Text(text) if text.is_empty() => return None,
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::ToolCall(call) => {
            let input = request::arguments(&call.arguments);
            json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
        }
        Part::ToolResult(result) if result.is_error => {
            json!({ "type": "tool_result", "tool_use_id": result.call_id, "content": result.content, "is_error": true })
        }
        Part::ToolResult(result) => {
            json!({ "type": "tool_result", "tool_use_id": result.call_id, "content": result.content })
        }
        Part::Media(Media { media_type, source, .. }) => {
            let kind = if media_type.starts_with("image/") { "image" } else { "document" };
            let source = match source {
                MediaSource::Base64(data) => {
                    json!({ "type": "base64", "media_type": media_type, "data": data })
                }
                MediaSource::Url(url) => json!({ "type": "url", "url": url }),
            };
            json!({ "type": kind, "source": source })
        }
        Part::Other(value) => value.clone(),
    })
}
