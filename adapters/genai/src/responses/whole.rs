//! The body of a response becomes an [`Answer`].

use serde_json::Value;
use skills_runtime::model::{Answer, ToolCall, Usage};

use crate::answer::{Found, arguments, tokens};
use crate::limits::TooMuch;

/// Reads an answer; nothing where there is none.
pub(crate) fn answer(body: &Value) -> Result<Option<Answer>, TooMuch> {
    let Some(items) = body.get("output").and_then(Value::as_array) else { return Ok(None) };
    let mut found = Found { reason: reason(body), usage: usage(body), ..Found::default() };
    for item in items {
        match item.get("type").and_then(Value::as_str) {
            Some("message") => {
                for part in item.get("content").and_then(Value::as_array).into_iter().flatten() {
                    let text = |key: &str| part.get(key).and_then(Value::as_str).unwrap_or_default();
                    found.text.push_str(text("text"));
                    found.refusal.push_str(text("refusal"));
                }
            }
            Some("function_call") => {
                TooMuch::check_calls(found.calls.len() + 1)?;
                let Some(call) = call(item) else { return Ok(None) };
                found.calls.push(call);
            }
            _ => {}
        }
    }
    found.answer()
}

pub(super) fn call(item: &Value) -> Option<ToolCall> {
    Some(ToolCall {
        id: item.get("call_id")?.as_str()?.to_owned(),
        name: item.get("name")?.as_str()?.to_owned(),
        arguments: arguments(item.get("arguments")),
    })
}

/// Says why an answer ended: what cut it, where something did.
pub(super) fn reason(response: &Value) -> Option<String> {
    let text = |pointer: &str| response.pointer(pointer).and_then(Value::as_str);
    text("/incomplete_details/reason").or_else(|| text("/status")).map(str::to_owned)
}

pub(super) fn usage(response: &Value) -> Usage {
    let usage = response.get("usage");
    Usage { input_tokens: tokens(usage, "input_tokens"), output_tokens: tokens(usage, "output_tokens") }
}
