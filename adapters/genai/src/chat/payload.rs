//! Converts a [`Request`] to the body of OpenAI's Chat Completions API.

use serde_json::{Map, Value, json};
use skills_call::model::{Media, MediaSource, Message, Request, Role, ToolCall, ToolResult};

use crate::target::Target;
use crate::{request, schema};

/// Returns the body.
pub(crate) fn payload(target: &Target, request: &Request, is_stream: bool) -> Value {
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| drop(body.insert(key.to_owned(), value));
    let model = target.model.as_str();
    set("model", model.into());
    set("stream", is_stream.into());
    if is_stream {
        set("stream_options", json!({ "include_usage": true }));
    }
    set("messages", request.messages.iter().flat_map(messages).collect());
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            let function =
                json!({ "name": tool.name, "description": tool.description, "parameters": tool.parameters });
            json!({ "type": "function", "function": function })
        });
        set("tools", tools.collect());
    }
    if let Some(temperature) = request.temperature {
        set("temperature", temperature.into());
    }
    if let Some(most) = request.max_tokens.or(target.max_tokens) {
        // OpenAI's reasoning models refuse the old parameter; other models do not know the new one.
        let is_new = ["gpt-5", "gpt-6", "o1", "o3", "o4"].iter().any(|start| model.starts_with(start));
        set(if is_new { "max_completion_tokens" } else { "max_tokens" }, most.into());
    }
    if let Some(format) =
        request.response_schema.as_ref().filter(|_| target.holds_schemas).and_then(schema::response_format)
    {
        set("response_format", format);
    }
    Value::Object(body)
}

/// Converts a message: one for each tool result, otherwise a single one, or none if it would be empty.
fn messages(message: &Message) -> Vec<Value> {
    match message.role {
        Role::System => vec![json!({ "role": "system", "content": message.text() })],
        Role::Assistant => assistant(message).into_iter().collect(),
        Role::Tool => message.tool_results().map(result).collect(),
        _ => vec![json!({ "role": "user", "content": request::said(message, "text", media) })],
    }
}

fn assistant(message: &Message) -> Option<Value> {
    let calls: Vec<Value> = message.tool_calls().map(call).collect();
    let text = message.text();
    // Providers refuse a message without content.
    (!text.is_empty() || !calls.is_empty()).then(|| {
        let mut said = json!({ "role": "assistant", "content": text });
        if let (false, Some(said)) = (calls.is_empty(), said.as_object_mut()) {
            said.insert("tool_calls".to_owned(), calls.into());
        }
        said
    })
}

fn call(call: &ToolCall) -> Value {
    let arguments = request::arguments(&call.arguments).to_string();
    json!({ "type": "function", "id": call.id, "function": { "name": call.name, "arguments": arguments } })
}

fn result(result: &ToolResult) -> Value {
    json!({ "role": "tool", "tool_call_id": result.call_id, "content": request::told(result) })
}

fn media(media: &Media) -> Option<Value> {
    let Media { media_type, name, source, .. } = media;
    let url = match source {
        MediaSource::Base64(data) => format!("data:{media_type};base64,{data}"),
        MediaSource::Url(url) => url.clone(),
    };
    Some(match (media_type.split_once('/'), source) {
        (Some(("audio", format)), MediaSource::Base64(data)) => {
            let format = if format == "mpeg" { "mp3" } else { format };
            json!({ "type": "input_audio", "input_audio": { "data": data, "format": format } })
        }
        (Some(("image", _)), _) => json!({ "type": "image_url", "image_url": { "url": url } }),
        _ => json!({ "type": "file", "file": { "filename": name, "file_data": url } }),
    })
}
