//! What several protocols say of a request in the same way.

use serde_json::{Value, json};
use skills_call::model::{Media, Message, Part, Role, ToolResult};

/// Takes the messages in turns: answers of tools in a row are one, since providers want them together.
pub(crate) fn turns(messages: &[Message]) -> impl Iterator<Item = &[Message]> {
    let is_tool = |message: &Message| message.role == Role::Tool;
    messages.chunk_by(move |left, right| is_tool(left) && is_tool(right))
}

/// Joins what the host says, where a protocol has one place for it.
pub(crate) fn system(messages: &[Message]) -> Option<String> {
    let said: Vec<String> =
        messages.iter().filter(|message| message.role == Role::System).map(Message::text).collect();
    (!said.is_empty()).then(|| said.join("\n\n"))
}

/// Reads arguments that go back to the model: providers take objects only.
pub(crate) fn arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return json!({});
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Value::Object(object),
        _ => json!({ "invalid_arguments": text }),
    }
}

/// Says what a user says: text alone as a text, which every server takes, and anything else as a list, with texts of this
/// type.
pub(crate) fn said(message: &Message, kind: &str, media: fn(&Media) -> Option<Value>) -> Value {
    if message.parts.iter().all(|part| matches!(part, Part::Text(_))) {
        return message.text().into();
    }
    let parts = message.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(json!({ "type": kind, "text": text })),
        Part::Media(found) => media(found),
        Part::Other(value) => Some(value.clone()),
        _ => None,
    });
    parts.collect()
}

/// Words the answer of a tool for providers that cannot mark a failure.
pub(crate) fn told(result: &ToolResult) -> String {
    if result.is_error { format!("Error: {}", result.content) } else { result.content.clone() }
}
