//! Converts a [`Request`] to genai's request and options.

use genai::adapter::AdapterKind;
use genai::chat::{
    Binary, ChatMessage, ChatOptions, ChatRequest, ChatRole, ContentPart, Tool, ToolCall, ToolResponse,
};
use serde_json::{Value, json};
use skills_call::model::{Media, MediaSource, Message, Part, Request, Role, ToolDefinition};

use crate::format;

/// Returns the messages and tools.
pub(crate) fn chat(request: &Request, kind: AdapterKind) -> ChatRequest {
    let chat = ChatRequest::new(turns(&request.messages).filter_map(message).collect());
    if request.tools.is_empty() {
        return chat;
    }
    chat.with_tools(request.tools.iter().map(|definition| tool(definition, kind)).collect::<Vec<_>>())
}

fn tool(definition: &ToolDefinition, kind: AdapterKind) -> Tool {
    let ToolDefinition { name, description, parameters } = definition;
    let tool = Tool::new(name.as_str());
    // genai replaces a tool named `web_search` with the provider's own tool, and merges the configuration
    // into the result.
    let ours = match kind {
        _ if name != "web_search" => None,
        AdapterKind::OpenAIResp => Some(json!({
            "type": "function", "name": name, "description": description, "parameters": parameters, "strict": false
        })),
        _ => Some(json!({ "type": "custom", "description": description, "input_schema": parameters })),
    };
    let tool = tool.with_description(description.as_str()).with_schema(parameters.clone());
    match (kind, ours) {
        (AdapterKind::OpenAIResp | AdapterKind::Anthropic | AdapterKind::MiniMax, Some(ours)) => {
            tool.with_config(ours)
        }
        // Without this, the Responses API makes every property required.
        (AdapterKind::OpenAIResp, None) => tool.with_strict(false),
        _ => tool,
    }
}

/// Returns the options for a stream whose tool calls are assembled here.
pub(crate) fn options(request: &Request, kind: AdapterKind, model: &str) -> ChatOptions {
    let options = ChatOptions {
        temperature: request.temperature,
        max_tokens: request.max_tokens,
        capture_usage: Some(true),
        capture_content: Some(false),
        capture_reasoning_content: Some(false),
        // To capture calls, genai allocates memory for any index that a server sends. Only its reader of the
        // Responses API uses a map, and it reports some calls nowhere else.
        capture_tool_calls: Some(kind == AdapterKind::OpenAIResp),
        ..ChatOptions::default()
    };
    match &request.response_schema {
        Some(wanted) => format::apply(options, wanted, kind, model),
        None => options,
    }
}

/// Groups the messages into turns: consecutive tool results are one turn, as providers require.
fn turns(messages: &[Message]) -> impl Iterator<Item = &[Message]> {
    messages.chunk_by(|left, right| left.role == Role::Tool && right.role == Role::Tool)
}

/// Converts a turn. Returns `None` if it would be empty, since providers refuse that.
fn message(turn: &[Message]) -> Option<ChatMessage> {
    let role = match turn.first()?.role {
        Role::System => ChatRole::System,
        Role::User => ChatRole::User,
        Role::Assistant => ChatRole::Assistant,
        Role::Tool => ChatRole::Tool,
    };
    let parts: Vec<ContentPart> = turn.iter().flat_map(|message| &message.parts).filter_map(part).collect();
    (!parts.is_empty()).then(|| ChatMessage::new(role, parts))
}

fn part(part: &Part) -> Option<ContentPart> {
    Some(match part {
        Part::Text(text) if text.is_empty() => return None,
        Part::Text(text) => ContentPart::from_text(text),
        Part::ToolCall(call) => ContentPart::ToolCall(ToolCall {
            call_id: call.id.clone(),
            fn_name: call.name.clone(),
            fn_arguments: arguments(&call.arguments),
            thought_signatures: None,
        }),
        Part::ToolResult(result) => {
            // genai cannot mark an error.
            let content =
                if result.is_error { format!("Error: {}", result.content) } else { result.content.clone() };
            ContentPart::ToolResponse(
                ToolResponse::new(result.call_id.as_str(), content).with_fn_name(result.name.as_str()),
            )
        }
        Part::Media(media) => ContentPart::Binary(binary(media)),
        Part::Other(value) => ContentPart::from_custom(value.clone(), None),
    })
}

fn binary(media: &Media) -> Binary {
    let name = Some(media.name.clone()).filter(|name| !name.is_empty());
    match &media.source {
        MediaSource::Base64(data) => Binary::from_base64(media.media_type.as_str(), data.as_str(), name),
        MediaSource::Url(url) => Binary::from_url(media.media_type.as_str(), url.as_str(), name),
    }
}

/// Parses arguments that are sent back to the model. Providers accept only objects.
fn arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return json!({});
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Value::Object(object),
        _ => json!({ "invalid_arguments": text }),
    }
}
