//! Converts the answers and errors of rig's models. Errors do not quote the provider.

use rig_core::ProviderError;
use rig_core::completion::{CompletionResponse, FinishReason};
use rig_core::message::{AssistantContent, ToolCall as RigCall};
use serde_json::Value;
use skills_call::model::{Answer, Finish, ModelError, ModelErrorKind, ToolCall, Usage};

/// Converts an answer.
///
/// # Errors
/// If the provider reports that the turn failed.
pub(crate) fn answer(response: CompletionResponse) -> Result<Answer, ModelError> {
    if response.error.is_some() {
        return Err(ModelError::new("the provider reports that its answer failed"));
    }
    let calls: Vec<ToolCall> = response.choice.iter().filter_map(call).collect();
    let finish = match response.finish_reason() {
        _ if !calls.is_empty() => Finish::ToolCalls,
        Some(FinishReason::Stop) | None => Finish::Stop,
        Some(FinishReason::Length) => Finish::Length,
        Some(FinishReason::ToolCalls) => Finish::ToolCalls,
        Some(FinishReason::ContentFilter) => Finish::ContentFilter,
        Some(_) => Finish::Other,
    };
    let usage = Usage {
        input_tokens: response.usage.input_tokens.unwrap_or_default(),
        output_tokens: response.usage.output_tokens.unwrap_or_default(),
    };
    Ok(Answer::new(response.text()).with_tool_calls(calls).with_finish(finish).with_usage(usage))
}

/// Converts a tool call. Returns `None` for any other part.
pub(crate) fn call(part: &AssistantContent) -> Option<ToolCall> {
    let AssistantContent::ToolCall(call) = part else { return None };
    let RigCall { id, function, .. } = call;
    // The arguments are passed as the model wrote them: the tool reports errors in them.
    let written = function.invalid_arguments.clone();
    let arguments = written.unwrap_or_else(|| Value::Object(function.arguments.clone()).to_string());
    Some(ToolCall { id: id.wire().into_owned(), name: function.name.as_str().to_owned(), arguments })
}

/// Converts an error. A provider's message may contain keys, so it is only in the source.
pub(crate) fn error(error: ProviderError) -> ModelError {
    let status = error.provider_response_status();
    let message = match status {
        Some(status) => format!("HTTP {}", status.as_u16()),
        None => error.kind().code().to_owned(),
    };
    let kind = status.map(|status| ModelErrorKind::from_status(status.as_u16())).unwrap_or_default();
    let made = ModelError::new(message).with_kind(kind);
    let busy = status.is_some_and(|status| matches!(status.as_u16(), 408 | 429 | 500..=599));
    if busy || error.is_retryable() { made.retryable() } else { made }
}
