//! Parts of answers that all protocols have in common: the reason for the end, and the usage.

use serde_json::Value;
use skills_call::model::Finish;

/// Returns the arguments of a call as JSON text. If a provider sends none, they are an empty object.
pub(crate) fn arguments(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "{}".to_owned(),
        Some(Value::String(text)) if text.is_empty() => "{}".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// Returns the reason why an answer ended. Some providers send "stop" even for tool calls.
pub(crate) fn finish(reason: Option<&str>, has_calls: bool) -> Finish {
    match reason {
        Some(
            "length"
            | "max_tokens"
            | "MAX_TOKENS"
            | "max_output_tokens"
            | "incomplete"
            | "model_context_window_exceeded"
            | "model_length",
        ) => Finish::Length,
        Some(
            "content_filter"
            | "refusal"
            | "SAFETY"
            | "RECITATION"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION"
            | "LANGUAGE",
        ) => Finish::ContentFilter,
        _ if has_calls => Finish::ToolCalls,
        Some("tool_calls" | "tool_use" | "function_call") => Finish::ToolCalls,
        Some("stop" | "end_turn" | "STOP" | "COMPLETE" | "completed" | "stop_sequence") => Finish::Stop,
        _ => Finish::Other,
    }
}

/// Reads a number of tokens.
pub(crate) fn tokens(usage: Option<&Value>, key: &str) -> u64 {
    usage.and_then(|usage| usage.get(key)).and_then(Value::as_u64).unwrap_or_default()
}
