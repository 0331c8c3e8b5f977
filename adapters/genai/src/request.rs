//! A [`Request`] becomes what genai sends: messages, tools and options.

use genai::adapter::AdapterKind;
use genai::chat::{ChatMessage, ChatOptions, ChatRequest, ContentPart, MessageContent, Tool, ToolResponse};
use serde_json::{Value, json};
use skills_runtime::model::{Media, MediaSource, Message, ModelError, Part, Request, Role, ToolResult};

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
        let is_tool = |message: &Message| message.role == Role::Tool;
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
    let parts = group.iter().flat_map(|message| &message.parts);
    let content =
        MessageContent::from_parts(parts.filter_map(|one| part(kind, one, names)).collect::<Vec<_>>());
    Some(match group.first()?.role {
        Role::System => ChatMessage::system(content),
        // Providers refuse a message without content, and it says nothing.
        Role::Assistant if content.is_empty() => return None,
        Role::Assistant => ChatMessage::assistant(content),
        Role::Tool => ChatMessage::tool(content),
        _ => ChatMessage::user(content),
    })
}

fn part(kind: AdapterKind, part: &Part, names: &Names) -> Option<ContentPart> {
    Some(match part {
        Part::Text(text) => ContentPart::from_text(text),
        Part::ToolCall(call) => ContentPart::ToolCall(genai::chat::ToolCall {
            call_id: call.id.clone(),
            fn_name: names.sent(&call.name).to_owned(),
            fn_arguments: arguments(&call.arguments),
            thought_signatures: None,
        }),
        Part::ToolResult(result) => tool_result(kind, result, names),
        Part::Media(Media { media_type, name, source, .. }) => {
            let name = Some(name.clone()).filter(|name| !name.is_empty());
            match source {
                MediaSource::Base64(data) => ContentPart::from_binary_base64(media_type, data.as_str(), name),
                MediaSource::Url(url) => ContentPart::from_binary_url(media_type, url, name),
                _ => return None,
            }
        }
        // genai passes on parts that it does not know.
        Part::Other(value) => ContentPart::from_custom(value.clone(), None),
        _ => return None,
    })
}

fn options(kind: AdapterKind, model: &str, request: &Request) -> ChatOptions {
    let mut options = ChatOptions::default()
        .with_capture_usage(true)
        // It makes room for the number that a server gives a call, whatever that is, unless told not to.
        .with_capture_tool_calls(repeats_calls(kind))
        // Answers that genai cannot read are read again from the body.
        .with_capture_raw_body(true);
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

/// Says whether genai repeats a call from its beginning with every piece; in protocols like OpenAI's it does not.
pub(crate) fn repeats_calls(kind: AdapterKind) -> bool {
    use AdapterKind as Kind;
    matches!(
        kind,
        Kind::OpenAIResp
            | Kind::Gemini
            | Kind::GeminiIx
            | Kind::Anthropic
            | Kind::Cohere
            | Kind::Ollama
            | Kind::OllamaCloud
            | Kind::Vertex
            | Kind::BedrockApi
            // It speaks like Anthropic or like OpenAI, and only from its own host.
            | Kind::OpenCodeGo
    )
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

/// Words the answer of a tool for providers that cannot mark a failure.
pub(crate) fn told(result: &ToolResult) -> String {
    if result.is_error { format!("Error: {}", result.content) } else { result.content.clone() }
}

fn tool_result(kind: AdapterKind, result: &ToolResult, names: &Names) -> ContentPart {
    let ToolResult { call_id, name, content, is_error, .. } = result;
    if *is_error && kind == AdapterKind::Anthropic {
        // genai has no word for it, but passes on parts that it does not know.
        let part =
            json!({ "type": "tool_result", "tool_use_id": call_id, "content": content, "is_error": true });
        return ContentPart::from_custom(part, None);
    }
    ContentPart::ToolResponse(
        ToolResponse::new(call_id.as_str(), told(result)).with_fn_name(names.sent(name)),
    )
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
            return Err(ModelError::new(message));
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
