//! Converts the messages of a chat in the browser to messages for a model.

use serde_json::Value;
use skills_call::model::{Message, ToolCall, ToolResult};

/// The result of a tool whose call was interrupted because the chat was stopped.
const INTERRUPTED: &str = "the call was interrupted";

/// The result of a tool whose call the user did not allow.
const DENIED: &str = "the user did not allow this call";

/// The messages of a chat, and the calls that wait in the last of them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct History {
    pub(super) messages: Vec<Message>,
    /// The calls of the last message to which the user has responded.
    pub(super) responses: Vec<ApprovalResponse>,
    /// The id of the last message, which the answer continues if there are responses.
    pub(super) last: Option<String>,
}

/// The response of a user to the question whether a tool may run.
#[derive(Debug, PartialEq)]
pub(super) struct ApprovalResponse {
    /// The index of the message for the result of the call.
    pub(super) at: usize,
    pub(super) call: ToolCall,
    pub(super) input: Value,
    pub(super) id: String,
    pub(super) is_approved: bool,
}

/// Parses `UIMessage[]`. Returns `None` for anything else.
///
/// The model gets a line of text in place of a file. Other unknown parts are left out.
pub(super) fn read(messages: &Value) -> Option<History> {
    let mut history = History::default();
    for message in messages.as_array()? {
        // Only the last message can have calls that wait.
        history.responses.clear();
        history.last = message.get("id").and_then(Value::as_str).map(str::to_owned);
        let read = &mut history.messages;
        let parts = message.get("parts")?.as_array()?;
        match message.get("role")?.as_str()? {
            "system" => read.push(Message::system(text_of(parts))),
            "user" => read.push(Message::user(text_of(parts))),
            "assistant" => assistant(parts, &mut history),
            _ => return None,
        }
    }
    Some(history)
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
fn assistant(parts: &[Value], history: &mut History) {
    for step in parts.split(|part| field(part, "type") == Some("step-start")) {
        let calls: Vec<Call<'_>> = step.iter().filter_map(Call::from_part).collect();
        let text = text_of(step);
        if text.is_empty() && calls.is_empty() {
            continue;
        }
        history.messages.push(Message::assistant(text, calls.iter().map(Call::call).collect()));
        for call in calls {
            history.responses.extend(call.response(history.messages.len()));
            history.messages.push(call.answer());
        }
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

    fn state(&self) -> &'a str {
        field(self.part, "state").unwrap_or_default()
    }

    /// Returns the user's response, if the call waits to run. `at` is the index of the message for its result.
    fn response(&self, at: usize) -> Option<ApprovalResponse> {
        let approval = self.part.get("approval").filter(|_| self.state() == "approval-responded")?;
        let input = self.part.get("input").cloned().unwrap_or_default();
        let (id, is_approved) = (field(approval, "id")?.to_owned(), self.is_approved()?);
        Some(ApprovalResponse { at, call: self.call(), input, id, is_approved })
    }

    fn is_approved(&self) -> Option<bool> {
        self.part.get("approval")?.get("approved")?.as_bool()
    }

    fn answer(&self) -> Message {
        let state = self.state();
        let error = self.part.get("errorText").and_then(Value::as_str);
        let (content, is_error) = match (state, self.part.get("output")) {
            ("output-available", Some(Value::String(text))) => (text.clone(), false),
            ("output-available", Some(output)) => (output.to_string(), false),
            _ if self.is_approved() == Some(false) => (DENIED.to_owned(), true),
            _ => (error.unwrap_or(INTERRUPTED).to_owned(), true),
        };
        Message::tool(ToolResult::new(self.id, self.name, content).with_error(is_error))
    }
}

#[cfg(test)]
mod tests {
    use super::{DENIED, INTERRUPTED, Message, read};
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
        .expect("they are messages")
        .messages;
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
        assert!(read(&json!([])).is_some_and(|history| history.messages.is_empty()));
    }

    // SPEC 11.3
    #[test]
    fn responses_to_calls_of_the_last_message_wait() {
        let tool = |call: &str, is_approved: bool| {
            json!({"type": "dynamic-tool", "toolName": "sum", "toolCallId": call, "state": "approval-responded",
                "input": {"a": 1}, "approval": {"id": "signed", "approved": is_approved}})
        };
        let message = json!({"id": "m", "role": "assistant", "parts": [tool("c1", true), tool("c2", false)]});
        let asked = json!({"id": "u", "role": "user", "parts": [{"type": "text", "text": "a"}]});
        let history = read(&json!([message, asked])).expect("messages");
        assert!(history.responses.is_empty(), "a later message has ended the wait");
        let history = read(&json!([asked, message])).expect("messages");
        assert_eq!(history.last.as_deref(), Some("m"));
        let seen: Vec<(usize, &str, bool)> = history
            .responses
            .iter()
            .map(|response| (response.at, response.call.id.as_str(), response.is_approved))
            .collect();
        assert_eq!(seen, [(2, "c1", true), (3, "c2", false)]);
        let result = history.messages[3].tool_results().next().expect("a result");
        assert_eq!((result.content.as_str(), result.is_error), (DENIED, true));
    }
}
