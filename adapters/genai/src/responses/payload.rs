//! Converts a [`Request`] to the body of OpenAI's Responses API.

use serde_json::{Map, Value, json};
use skills_call::model::{Media, MediaSource, Message, Request, Role};

use crate::target::Target;
use crate::{request, schema};

/// Returns the body, with storage by the provider disabled.
pub(crate) fn payload(target: &Target, request: &Request, is_stream: bool) -> Value {
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| drop(body.insert(key.to_owned(), value));
    set("model", target.model.as_str().into());
    set("stream", is_stream.into());
    set("store", false.into());
    set("input", request.messages.iter().flat_map(items).collect());
    if !request.tools.is_empty() {
        // In strict mode every property would be required. The arguments are checked later anyway.
        let tools = request.tools.iter().map(|tool| {
            json!({ "type": "function", "name": tool.name, "description": tool.description,
                    "parameters": tool.parameters, "strict": false })
        });
        set("tools", tools.collect());
    }
    if let Some(temperature) = request.temperature {
        set("temperature", temperature.into());
    }
    if let Some(most) = request.max_tokens.or(target.max_tokens) {
        set("max_output_tokens", most.into());
    }
    let wanted = request.response_schema.as_ref().filter(|_| target.holds_schemas);
    if let Some(format) = wanted.and_then(schema::text_format) {
        set("text", json!({ "format": format }));
    }
    Value::Object(body)
}

/// Converts a message. Calls and their results are separate items.
fn items(message: &Message) -> Vec<Value> {
    match message.role {
        Role::System => vec![json!({ "role": "system", "content": message.text() })],
        Role::Assistant => assistant(message),
        Role::Tool => message
            .tool_results()
            .map(|result| {
                json!({ "type": "function_call_output", "call_id": result.call_id, "output": request::told(result) })
            })
            .collect(),
        _ => vec![json!({ "role": "user", "content": request::said(message, "input_text", media) })],
    }
}

fn assistant(message: &Message) -> Vec<Value> {
    let said = Some(message.text()).filter(|text| !text.is_empty()).map(|text| {
        json!({ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": text }] })
    });
    let calls = message.tool_calls().map(|call| {
        let arguments = request::arguments(&call.arguments).to_string();
        json!({ "type": "function_call", "call_id": call.id, "name": call.name, "arguments": arguments })
    });
    said.into_iter().chain(calls).collect()
}

fn media(media: &Media) -> Option<Value> {
    let Media { media_type, name, source, .. } = media;
    let is_image = media_type.starts_with("image/");
    Some(match source {
        MediaSource::Base64(data) => {
            let url = format!("data:{media_type};base64,{data}");
            if is_image {
                json!({ "type": "input_image", "detail": "auto", "image_url": url })
            } else {
                let name = if name.is_empty() { "file" } else { name };
                json!({ "type": "input_file", "filename": name, "file_data": url })
            }
        }
        MediaSource::Url(url) if is_image => {
            json!({ "type": "input_image", "detail": "auto", "image_url": url })
        }
        MediaSource::Url(url) => json!({ "type": "input_file", "file_url": url }),
    })
}
