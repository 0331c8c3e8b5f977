//! What all protocols say in the same words of an answer: why it ended, and what it cost.

use serde_json::Value;
use skills_call::model::Finish;

/// Writes the arguments of a call as the text of JSON; providers that send none mean an empty object.
pub(crate) fn arguments(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "{}".to_owned(),
        Some(Value::String(text)) if text.is_empty() => "{}".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// Says why an answer ended; some providers say "stop" when they call tools.
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
