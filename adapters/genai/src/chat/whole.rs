//! The body of a chat completion becomes an [`Answer`].

use serde_json::Value;
use skills_runtime::model::{Answer, ToolCall, Usage};

use crate::answer::{Found, arguments, tokens};
use crate::limits::TooMuch;

/// Reads an answer; nothing where there is none.
pub(crate) fn answer(body: &Value) -> Result<Option<Answer>, TooMuch> {
    let Some(choice) = body.pointer("/choices/0") else { return Ok(None) };
    let message = choice.get("message").unwrap_or(&Value::Null);
    let text = |key: &str| message.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let calls = message.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    TooMuch::check_calls(calls.len())?;
    let Some(calls) = calls.iter().map(call).collect::<Option<Vec<ToolCall>>>() else { return Ok(None) };
    let reason = choice.get("finish_reason").and_then(Value::as_str).map(str::to_owned);
    let usage = usage(body.get("usage"));
    Found { text: text("content"), refusal: text("refusal"), calls, reason, usage }.answer()
}

fn call(value: &Value) -> Option<ToolCall> {
    Some(ToolCall {
        id: value.get("id")?.as_str()?.to_owned(),
        name: value.pointer("/function/name")?.as_str()?.to_owned(),
        arguments: arguments(value.pointer("/function/arguments")),
    })
}

pub(super) fn usage(usage: Option<&Value>) -> Usage {
    Usage { input_tokens: tokens(usage, "prompt_tokens"), output_tokens: tokens(usage, "completion_tokens") }
}
