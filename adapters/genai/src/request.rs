//! Conversions of requests that several protocols share.

use serde_json::{Value, json};
use skills_call::model::{Media, Message, Part, Role, ToolResult};

/// Groups the messages into turns: consecutive tool results are one turn, as providers require.
pub(crate) fn turns(messages: &[Message]) -> impl Iterator<Item = &[Message]> {
    let is_tool = |message: &Message| message.role == Role::Tool;
    messages.chunk_by(move |left, right| is_tool(left) && is_tool(right))
}

/// Joins the system messages, for protocols with a single place for them.
pub(crate) fn system(messages: &[Message]) -> Option<String> {
    let said: Vec<String> =
        messages.iter().filter(|message| message.role == Role::System).map(Message::text).collect();
    (!said.is_empty()).then(|| said.join("\n\n"))
}

/// Parses arguments that are sent back to the model. Providers accept only objects.
pub(crate) fn arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return json!({});
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Value::Object(object),
        _ => json!({ "invalid_arguments": text }),
    }
}

/// Converts a user message: pure text is sent as a string, which every server accepts; anything else as a
/// list, whose texts have the type `kind`.
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

/// Returns the text of a tool result, for providers that cannot mark an error.
pub(crate) fn told(result: &ToolResult) -> String {
    if result.is_error { format!("Error: {}", result.content) } else { result.content.clone() }
}
