//! Converts a request to a language model to one of rig.

use rig_core::completion::{CompletionRequest, ToolDefinition};
use rig_core::message::{
    AssistantContent, AssistantMessage, CallId, DocumentSourceKind, Image, ImageMediaType,
    Message as RigMessage, MimeType, ToolCall, ToolFunction, ToolName, ToolResult, ToolResultContent,
    UserContent,
};
use skills_call::model::{Media, MediaSource, Message, ModelError, Part, Request, Role};

/// Converts the request.
///
/// The tool results for one message of the model are joined into one message, since some providers refuse
/// several. Two kinds of parts are left out: parts that are not valid for their role, and provider-specific
/// parts, for which rig has its own type.
///
/// # Errors
/// If a tool has no name, if a medium is not an image, or if the schema of the answer is invalid.
pub(crate) fn request(from: &Request) -> Result<CompletionRequest, ModelError> {
    let mut messages = Vec::new();
    for message in &from.messages {
        push(message, &mut messages)?;
    }
    if messages.is_empty() {
        return Err(ModelError::new("a request needs a message"));
    }
    let tools = from.tools.iter().map(|tool| {
        Ok(ToolDefinition::new(name(&tool.name)?, tool.description.as_str(), tool.parameters.clone()))
    });
    let mut request = CompletionRequest::from(messages)
        .tools(tools.collect::<Result<_, ModelError>>()?)
        .temperature(from.temperature)
        .max_tokens(from.max_tokens.map(u64::from));
    if let Some(wanted) = &from.response_schema {
        let schema = rig_core::schemars::Schema::try_from(wanted.schema.clone());
        let schema = schema.map_err(|_| ModelError::new("the schema of the answer is not a JSON Schema"))?;
        request = request.output_schema(schema);
    }
    Ok(request)
}

fn push(message: &Message, messages: &mut Vec<RigMessage>) -> Result<(), ModelError> {
    match message.role {
        Role::System => messages.push(RigMessage::system(message.text())),
        Role::Assistant => {
            let content =
                message.parts.iter().filter_map(assistant_content).collect::<Result<Vec<_>, _>>()?;
            // rig refuses a message without content.
            if !content.is_empty() {
                messages.push(RigMessage::Assistant(AssistantMessage::new(content)));
            }
        }
        Role::Tool => {
            let results = message.tool_results().map(answered).collect::<Result<Vec<_>, _>>()?;
            match messages.last_mut() {
                Some(RigMessage::User { content })
                    if matches!(content[..], [UserContent::ToolResult(_), ..]) =>
                {
                    content.extend(results);
                }
                _ => messages.push(RigMessage::User { content: results }),
            }
        }
        _ => {
            let content = message.parts.iter().filter_map(asked).collect::<Result<Vec<_>, _>>()?;
            if !content.is_empty() {
                messages.push(RigMessage::User { content });
            }
        }
    }
    Ok(())
}

fn assistant_content(part: &Part) -> Option<Result<AssistantContent, ModelError>> {
    match part {
        Part::Text(text) => Some(Ok(AssistantContent::text(text.as_str()))),
        Part::ToolCall(call) => Some(name(&call.name).map(|name| {
            let function = ToolFunction::parse(name, &call.arguments);
            AssistantContent::ToolCall(ToolCall::new(CallId::from_wire(call.id.as_str()), function))
        })),
        _ => None,
    }
}

fn asked(part: &Part) -> Option<Result<UserContent, ModelError>> {
    match part {
        Part::Text(text) => Some(Ok(UserContent::text(text.as_str()))),
        Part::Media(media) => Some(image(media).map(UserContent::Image)),
        _ => None,
    }
}

fn answered(result: &skills_call::model::ToolResult) -> Result<UserContent, ModelError> {
    Ok(UserContent::ToolResult(ToolResult {
        call: CallId::from_wire(result.call_id.as_str()),
        name: name(&result.name)?,
        content: vec![ToolResultContent::text(result.content.as_str())],
        is_error: result.is_error,
    }))
}

fn image(media: &Media) -> Result<Image, ModelError> {
    let Some(media_type) = ImageMediaType::from_mime_type(&media.media_type) else {
        return Err(ModelError::new(format!("{} is not supported for models of rig", media.media_type)));
    };
    let data = match &media.source {
        MediaSource::Base64(text) => DocumentSourceKind::base64(text),
        MediaSource::Url(address) => DocumentSourceKind::url(address.as_str()),
    };
    Ok(Image { data, media_type: Some(media_type), ..Image::default() })
}

fn name(text: &str) -> Result<ToolName, ModelError> {
    ToolName::new(text).map_err(|_| ModelError::new("a tool needs a name"))
}
