//! Converts the messages of a chat in the browser to messages for a model.

use serde_json::Value;
use skills_call::model::{Message, ToolCall, ToolResult};

/// The result of a tool whose call was interrupted because the chat was stopped.
const INTERRUPTED: &str = "the call was interrupted";

/// Parses `UIMessage[]`. Returns `None` for anything else.
///
/// The model gets a line of text in place of a file. Other unknown parts are left out.
pub(super) fn read(messages: &Value) -> Option<Vec<Message>> {
    let mut read = Vec::new();
    for message in messages.as_array()? {
        let parts = message.get("parts")?.as_array()?;
        match message.get("role")?.as_str()? {
            "system" => read.push(Message::system(text_of(parts))),
            "user" => read.push(Message::user(text_of(parts))),
            "assistant" => assistant(parts, &mut read),
            _ => return None,
        }
    }
    Some(read)
}

fn text_of(parts: &[Value]) -> String {
    let texts: Vec<String> = parts.iter().filter_map(text).collect();
    texts.join("\n")
}

fn text(part: &Value) -> Option<String> {
    match field(part, "type")? {
        "text" => Some(field(part, "text")?.to_owned()),
        "file" => {
            let name = field(part, "filename").unwrap_or("without a name");
            let kind = field(part, "mediaType").unwrap_or("unknown type");
            Some(format!("[file {name} ({kind}) is not supported]"))
        }
        _ => None,
    }
}

/// Returns a member of a part that is a string.
fn field<'a>(part: &'a Value, name: &str) -> Option<&'a str> {
    part.get(name).and_then(Value::as_str)
}

/// Splits a message of an assistant into its steps, each with its tool results.
fn assistant(parts: &[Value], read: &mut Vec<Message>) {
    for step in parts.split(|part| field(part, "type") == Some("step-start")) {
        let calls: Vec<Call<'_>> = step.iter().filter_map(Call::from_part).collect();
        let text = text_of(step);
        if text.is_empty() && calls.is_empty() {
            continue;
        }
        read.push(Message::assistant(text, calls.iter().map(Call::call).collect()));
        read.extend(calls.iter().map(Call::answer));
    }
}

struct Call<'a> {
    name: &'a str,
    id: &'a str,
    part: &'a Value,
}

impl<'a> Call<'a> {
    fn from_part(part: &'a Value) -> Option<Self> {
        let name = match part.get("type")?.as_str()? {
            "dynamic-tool" => part.get("toolName")?.as_str()?,
            other => other.strip_prefix("tool-")?,
        };
        Some(Self { name, id: part.get("toolCallId")?.as_str()?, part })
    }

    fn call(&self) -> ToolCall {
        let input = self.part.get("input").or_else(|| self.part.get("rawInput"));
        let arguments = input.map_or_else(|| "{}".to_owned(), Value::to_string);
        ToolCall { id: self.id.to_owned(), name: self.name.to_owned(), arguments }
    }

    fn answer(&self) -> Message {
        let state = self.part.get("state").and_then(Value::as_str).unwrap_or_default();
        let error = self.part.get("errorText").and_then(Value::as_str);
        let (content, is_error) = match (state, self.part.get("output")) {
            ("output-available", Some(Value::String(text))) => (text.clone(), false),
            ("output-available", Some(output)) => (output.to_string(), false),
            _ => (error.unwrap_or(INTERRUPTED).to_owned(), true),
        };
        Message::tool(ToolResult::new(self.id, self.name, content).with_error(is_error))
    }
}

#[cfg(test)]
mod tests {
    use super::{INTERRUPTED, Message, read};
    use serde_json::json;

    // SPEC 11.3
    #[test]
    fn steps_tools_and_interrupted_calls_become_messages() {
        let read = read(&json!([
            {"id": "1", "role": "user", "parts": [
                {"type": "text", "text": "a"}, {"type": "file", "mediaType": "image/png", "url": "data:,"}]},
            {"id": "2", "role": "assistant", "metadata": {}, "parts": [
                {"type": "step-start"},
                {"type": "text", "text": "let me see", "state": "done"},
                {"type": "dynamic-tool", "toolName": "sum", "toolCallId": "c1", "state": "output-available",
                 "input": {"a": 1}, "output": {"b": 2}},
                {"type": "tool-load_skill", "toolCallId": "c2", "state": "input-available", "input": {"name": "x"}},
                {"type": "step-start"},
                {"type": "text", "text": "2"}]},
        ]))
        .expect("they are messages");
        let tool_calls: Vec<_> = read[1].tool_calls().collect();
        assert_eq!(tool_calls[0].arguments, r#"{"a":1}"#);
        assert_eq!(tool_calls[1].name, "load_skill");
        let tool = |at: usize| {
            let result = read[at].tool_results().next().expect("an answer of a tool");
            (result.call_id.as_str(), result.content.as_str(), result.is_error)
        };
        assert_eq!(read[0], Message::user("a\n[file without a name (image/png) is not supported]"));
        assert_eq!(tool(2), ("c1", r#"{"b":2}"#, false));
        assert_eq!(tool(3), ("c2", INTERRUPTED, true));
        assert_eq!(read[4], Message::assistant("2", vec![]));
        assert_eq!(read.len(), 5);
    }

    #[test]
    fn invalid_messages_are_refused() {
        for wrong in [json!({}), json!([1]), json!([{"role": "user"}]), json!([{"role": "x", "parts": []}])] {
            assert_eq!(read(&wrong), None, "{wrong}");
        }
        assert_eq!(read(&json!([])), Some(vec![]));
    }
}
