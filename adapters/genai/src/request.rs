//! A [`Request`] becomes what genai sends: messages, tools and options.

use genai::adapter::AdapterKind;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ContentPart, MessageContent, ReasoningEffort, Tool, ToolResponse,
};
use serde_json::{Value, json};
use skills_runtime::model::{Message, ModelError, Request, ToolCall};

use crate::schema;

/// One call of genai.
pub(crate) struct Call {
    pub(crate) chat: ChatRequest,
    pub(crate) options: ChatOptions,
    pub(crate) names: Names,
}

impl Call {
    /// Translates a request.
    pub(crate) fn new(kind: AdapterKind, model: &str, request: &Request) -> Result<Self, ModelError> {
        let names = Names::of(request)?;
        // Answers to the calls of one message stand in one message: Anthropic wants them together.
        let is_tool = |message: &Message| matches!(message, Message::Tool { .. });
        let groups = request.messages.chunk_by(|left, right| is_tool(left) && is_tool(right));
        let messages = groups.filter_map(|group| message(kind, group, &names)).collect();
        let mut chat = ChatRequest::new(messages);
        if !request.tools.is_empty() {
            chat = chat.with_tools(request.tools.iter().map(|tool| {
                Tool::new(names.sent(&tool.name))
                    .with_description(tool.description.as_str())
                    .with_schema(tool.parameters.clone())
            }));
        }
        Ok(Self { chat, options: options(kind, model, request), names })
    }
}

/// Translates a message, or answers of tools in a row.
fn message(kind: AdapterKind, group: &[Message], names: &Names) -> Option<ChatMessage> {
    match group.first()? {
        Message::System(text) => Some(ChatMessage::system(text.as_str())),
        Message::User(text) => Some(ChatMessage::user(text.as_str())),
        Message::Assistant { text, tool_calls } => {
            let parts = assistant(text, tool_calls, names);
            // Providers refuse a message without content, and it says nothing.
            (!parts.is_empty()).then(|| ChatMessage::assistant(MessageContent::from_parts(parts)))
        }
        Message::Tool { .. } => {
            let parts: Vec<_> = group.iter().filter_map(|one| tool_result(kind, one, names)).collect();
            Some(ChatMessage::tool(MessageContent::from_parts(parts)))
        }
    }
}

fn options(kind: AdapterKind, model: &str, request: &Request) -> ChatOptions {
    let mut options = ChatOptions::default()
        .with_capture_usage(true)
        // Without it genai gives the pieces of OpenAI's calls but not which call they belong to.
        .with_capture_tool_calls(true)
        // What genai cannot read is read again from here.
        .with_capture_raw_body(true);
    if kind == AdapterKind::OpenAI {
        // genai takes `-max` and the like off a name as a wish for effort, unless one is given; a budget is one that
        // this protocol does not send.
        options = options.with_reasoning_effort(ReasoningEffort::Budget(0));
    }
    if let Some(temperature) = request.temperature {
        options = options.with_temperature(temperature);
    }
    if let Some(max_tokens) = request.max_tokens {
        options = options.with_max_tokens(max_tokens);
    }
    match &request.response_schema {
        Some(wanted) => schema::constrain(options, kind, model, wanted),
        None => options,
    }
}

fn assistant(text: &str, tool_calls: &[ToolCall], names: &Names) -> Vec<ContentPart> {
    let text = (!text.is_empty()).then(|| ContentPart::from_text(text));
    let calls = tool_calls.iter().map(|call| {
        ContentPart::ToolCall(genai::chat::ToolCall {
            call_id: call.id.clone(),
            fn_name: names.sent(&call.name).to_owned(),
            fn_arguments: arguments(&call.arguments),
            thought_signatures: None,
        })
    });
    text.into_iter().chain(calls).collect()
}

/// Reads arguments that go back to the model: providers take objects only.
fn arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return json!({});
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Value::Object(object),
        _ => json!({ "invalid_arguments": text }),
    }
}

fn tool_result(kind: AdapterKind, message: &Message, names: &Names) -> Option<ContentPart> {
    let Message::Tool { call_id, name, content, is_error } = message else { return None };
    if *is_error && kind == AdapterKind::Anthropic {
        // genai has no word for it, but passes on parts that it does not know.
        let part =
            json!({ "type": "tool_result", "tool_use_id": call_id, "content": content, "is_error": true });
        return Some(ContentPart::from_custom(part, None));
    }
    let content = if *is_error { format!("Error: {content}") } else { content.clone() };
    Some(ContentPart::ToolResponse(
        ToolResponse::new(call_id.as_str(), content).with_fn_name(names.sent(name)),
    ))
}

/// The name that genai takes for a provider's own tool, whatever ours does.
const TAKEN: &str = "web_search";
const INSTEAD: &str = "web_search_tool";

/// The names of tools as they travel.
pub(crate) struct Names {
    is_renamed: bool,
}

impl Names {
    fn of(request: &Request) -> Result<Self, ModelError> {
        let has = |name: &str| request.tools.iter().any(|tool| tool.name == name);
        if has(TAKEN) && has(INSTEAD) {
            let message = format!("the tools `{TAKEN}` and `{INSTEAD}` cannot be offered together");
            return Err(ModelError { message, is_retryable: false });
        }
        Ok(Self { is_renamed: has(TAKEN) })
    }

    fn sent<'a>(&self, name: &'a str) -> &'a str {
        if self.is_renamed && name == TAKEN { INSTEAD } else { name }
    }

    /// Turns the name that a model calls back into ours.
    pub(crate) fn received(&self, name: String) -> String {
        if self.is_renamed && name == INSTEAD { TAKEN.to_owned() } else { name }
    }
}
