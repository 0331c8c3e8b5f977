//! The body of `generateContent` becomes an [`Answer`].

use serde_json::Value;
use skills_runtime::model::{Answer, ToolCall, Usage};

use crate::answer::{Found, arguments, tokens};
use crate::limits::TooMuch;

/// Reads an answer; nothing where there is none.
pub(crate) fn answer(body: &Value) -> Result<Option<Answer>, TooMuch> {
    let mut found = Found { usage: usage(body), ..Found::default() };
    if let Some(reason) = blocked(body) {
        // The prompt was refused, and nobody answers.
        found.reason = Some("content_filter".to_owned());
        found.refusal = format!("The prompt was blocked: {reason}");
        return found.answer();
    }
    let Some(candidate) = body.pointer("/candidates/0") else { return Ok(None) };
    found.reason = candidate.get("finishReason").and_then(Value::as_str).map(str::to_owned);
    for part in parts(candidate) {
        match of(part) {
            Some(Part::Text(text)) => found.text.push_str(text),
            Some(Part::Call(call)) => {
                TooMuch::check_calls(found.calls.len() + 1)?;
                let name = name(call);
                found.calls.push(ToolCall {
                    id: id(call, name, found.calls.len()),
                    name: name.to_owned(),
                    arguments: arguments(call.get("args")),
                });
            }
            Some(Part::Thought(_)) | None => {}
        }
    }
    found.answer()
}

/// What a part of the content is.
pub(super) enum Part<'a> {
    Text(&'a str),
    Thought(&'a str),
    Call(&'a Value),
}

pub(super) fn parts(candidate: &Value) -> impl Iterator<Item = &Value> {
    candidate.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten()
}

pub(super) fn of(part: &Value) -> Option<Part<'_>> {
    if let Some(call) = part.get("functionCall") {
        return Some(Part::Call(call));
    }
    let text = part.get("text").and_then(Value::as_str)?;
    let is_thought = part.get("thought") == Some(&Value::Bool(true));
    Some(if is_thought { Part::Thought(text) } else { Part::Text(text) })
}

/// Says why a prompt was refused.
pub(super) fn blocked(body: &Value) -> Option<&str> {
    body.pointer("/promptFeedback/blockReason").and_then(Value::as_str)
}

pub(super) fn name(call: &Value) -> &str {
    call.get("name").and_then(Value::as_str).unwrap_or_default()
}

/// The id of a call: many models give none, and one is made up.
pub(super) fn id(call: &Value, name: &str, number: usize) -> String {
    let given = call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
    given.map_or_else(|| format!("call#{name}#{number}"), str::to_owned)
}

/// The id of a call as the provider knows it: none where it was made up.
pub(super) fn own_id(id: &str) -> Option<&str> {
    (!id.is_empty() && !id.starts_with("call#")).then_some(id)
}

/// What a tool of the provider's read is input too; thoughts are output.
pub(super) fn usage(body: &Value) -> Usage {
    let usage = body.get("usageMetadata");
    let sum = |one: &str, other: &str| tokens(usage, one).saturating_add(tokens(usage, other));
    Usage {
        input_tokens: sum("promptTokenCount", "toolUsePromptTokenCount"),
        output_tokens: sum("candidatesTokenCount", "thoughtsTokenCount"),
    }
}
