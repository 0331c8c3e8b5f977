//! What a protocol found in a body becomes an [`Answer`]; the words of all protocols for why one ended.

use serde_json::Value;
use skills_runtime::model::{Answer, Finish, ToolCall, Usage};

use crate::limits::{self, TooMuch};

/// What stands in a body.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) text: String,
    pub(crate) refusal: String,
    pub(crate) calls: Vec<ToolCall>,
    /// Why the answer ended, as the server says it.
    pub(crate) reason: Option<String>,
    pub(crate) usage: Usage,
}

impl Found {
    /// Makes the answer; nothing of nothing, since any JSON would make an empty one.
    pub(crate) fn answer(self) -> Result<Option<Answer>, TooMuch> {
        TooMuch::check_calls(self.calls.len())?;
        for call in &self.calls {
            TooMuch::check("the arguments of a call", call.arguments.len(), limits::ARGUMENTS)?;
        }
        let is_empty = self.text.is_empty() && self.calls.is_empty();
        if is_empty && !self.refusal.is_empty() {
            let refused = Answer::new(self.refusal).with_finish(Finish::ContentFilter);
            return Ok(Some(refused.with_usage(self.usage)));
        }
        if is_empty && self.reason.is_none() {
            return Ok(None);
        }
        let finish = finish(self.reason.as_deref(), !self.calls.is_empty());
        let answer = Answer::new(self.text).with_tool_calls(self.calls);
        Ok(Some(answer.with_finish(finish).with_usage(self.usage)))
    }
}

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
