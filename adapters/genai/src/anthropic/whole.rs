//! The body of a message becomes an [`Answer`].

use serde_json::Value;
use skills_runtime::model::{Answer, ToolCall, Usage};

use crate::answer::{Found, arguments, tokens};
use crate::limits::TooMuch;

/// Reads an answer; nothing where there is none.
pub(crate) fn answer(body: &Value) -> Result<Option<Answer>, TooMuch> {
    let Some(blocks) = body.get("content").and_then(Value::as_array) else { return Ok(None) };
    let reason = body.get("stop_reason").and_then(Value::as_str).map(str::to_owned);
    let mut found = Found { reason, usage: usage(body.get("usage")), ..Found::default() };
    for block in blocks {
        let text = |key: &str| block.get(key).and_then(Value::as_str);
        match text("type") {
            Some("text") => found.text.push_str(text("text").unwrap_or_default()),
            Some("tool_use") => {
                TooMuch::check_calls(found.calls.len() + 1)?;
                let (Some(id), Some(name)) = (text("id"), text("name")) else { return Ok(None) };
                let arguments = arguments(block.get("input"));
                found.calls.push(ToolCall { id: id.to_owned(), name: name.to_owned(), arguments });
            }
            _ => {}
        }
    }
    found.answer()
}

/// What was read from a cache, or written to one, is counted apart from the rest.
pub(super) fn usage(usage: Option<&Value>) -> Usage {
    let input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    Usage {
        input_tokens: input.iter().fold(0, |sum, key| tokens(usage, key).saturating_add(sum)),
        output_tokens: tokens(usage, "output_tokens"),
    }
}
