//! Converts a [`Request`] to the body of Gemini's `generateContent`.

use serde_json::{Map, Value, json};
use skills_call::model::{Media, MediaSource, Message, Part, Request, Role, ToolCall, ToolResult};

use super::parts::own_id;
use crate::request;
use crate::target::Target;

/// Returns the body, which is the same for streams.
pub(crate) fn payload(target: &Target, request: &Request) -> Value {
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| drop(body.insert(key.to_owned(), value));
    if let Some(said) = request::system(&request.messages) {
        set("systemInstruction", json!({ "parts": [{ "text": said }] }));
    }
    let needs_signature = target.model.contains("gemini-3");
    let turns = request::turns(&request.messages);
    set("contents", turns.filter_map(|messages| turn(messages, needs_signature)).collect());
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            json!({ "name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters })
        });
        set("tools", json!([{ "functionDeclarations": tools.collect::<Value>() }]));
    }
    let config = config(target, request);
    if !config.is_empty() {
        set("generationConfig", Value::Object(config));
    }
    Value::Object(body)
}

fn config(target: &Target, request: &Request) -> Map<String, Value> {
    let mut config = Map::new();
    let mut set = |key: &str, value: Value| drop(config.insert(key.to_owned(), value));
    if let Some(temperature) = request.temperature {
        set("temperature", temperature.into());
    }
    if let Some(most) = request.max_tokens.or(target.max_tokens) {
        set("maxOutputTokens", most.into());
    }
    if let Some(wanted) = request.response_schema.as_ref().filter(|_| target.holds_schemas) {
        set("responseMimeType", "application/json".into());
        set("responseJsonSchema", wanted.schema.clone());
    }
    config
}

/// Converts a message, or consecutive tool results. Returns `None` if it belongs elsewhere in the body or
/// would be empty.
fn turn(turn: &[Message], needs_signature: bool) -> Option<Value> {
    let role = match turn.first()?.role {
        Role::System => return None,
        Role::Assistant => "model",
        _ => "user",
    };
    let parts = turn.iter().flat_map(|message| &message.parts);
    let mut parts: Vec<Value> = parts.filter_map(part).collect();
    if needs_signature {
        sign(&mut parts);
    }
    (!parts.is_empty()).then(|| json!({ "role": role, "parts": parts }))
}

/// Marks the first call of a turn with a placeholder signature, since real signatures are not kept.
fn sign(parts: &mut [Value]) {
    let first = parts.iter_mut().find(|part| part.get("functionCall").is_some());
    if let Some(first) = first.and_then(Value::as_object_mut) {
        first.insert("thoughtSignature".to_owned(), "skip_thought_signature_validator".into());
    }
}

fn part(part: &Part) -> Option<Value> {
    Some(match part {
        Part::Text(text) if text.is_empty() => return None,
        Part::Text(text) => json!({ "text": text }),
        Part::ToolCall(call) => json!({ "functionCall": self::call(call) }),
        Part::ToolResult(result) => json!({ "functionResponse": self::result(result) }),
        Part::Media(Media { media_type, source, .. }) => match source {
            MediaSource::Base64(data) => {
                json!({ "inlineData": { "mimeType": media_type, "data": data } })
            }
            MediaSource::Url(url) => json!({ "fileData": { "mimeType": media_type, "fileUri": url } }),
        },
        Part::Other(value) => value.clone(),
    })
}

fn call(call: &ToolCall) -> Value {
    let args = request::arguments(&call.arguments);
    match own_id(&call.id) {
        Some(id) => json!({ "id": id, "name": call.name, "args": args }),
        None => json!({ "name": call.name, "args": args }),
    }
}

fn result(result: &ToolResult) -> Value {
    let key = if result.is_error { "error" } else { "output" };
    let response = json!({ key: result.content });
    match own_id(&result.call_id) {
        Some(id) => json!({ "id": id, "name": result.name, "response": response }),
        None => json!({ "name": result.name, "response": response }),
    }
}
