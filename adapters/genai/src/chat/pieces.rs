//! Reads the response of the Chat Completions API, or its events. Tool calls are identified by the index that
//! the server sends.

use serde_json::Value;
use skills_call::model::{ToolCall, Usage};

use crate::answer::{arguments, tokens};
use crate::said::{Fault, Reader, Said};

/// The state of a response that is not part of the answer's content.
#[derive(Default)]
pub(crate) struct Pieces {
    /// The reason why the answer ended, as the server sent it.
    reason: Option<String>,
    usage: Usage,
}

impl Reader for Pieces {
    fn whole(&mut self, body: &Value, said: &mut Said) -> Result<bool, Fault> {
        let Some(choice) = body.pointer("/choices/0") else { return Ok(false) };
        let message = choice.get("message").unwrap_or(&Value::Null);
        let text = |key: &str| message.get(key).and_then(Value::as_str).unwrap_or_default();
        said.text(text("content"))?;
        for call in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            let Some(call) = whole_call(call) else { return Ok(false) };
            said.call(call)?;
        }
        if said.is_empty() {
            said.refusal(text("refusal"))?;
        }
        let reason = choice.get("finish_reason").and_then(Value::as_str);
        said.end_whole(reason, usage(body.get("usage")));
        Ok(true)
    }

    fn take(&mut self, event: &Value, said: &mut Said) -> Result<bool, Fault> {
        if let Some(usage) = event.get("usage").filter(|usage| usage.is_object()) {
            self.usage = self::usage(Some(usage));
        }
        let Some(choice) = event.pointer("/choices/0") else { return Ok(false) };
        let delta = choice.get("delta").unwrap_or(&Value::Null);
        let text = |key: &str| delta.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        if let Some(thought) = text("reasoning_content").or_else(|| text("reasoning")) {
            said.thought(thought)?;
        }
        said.text(text("content").unwrap_or_default())?;
        said.refusal(text("refusal").unwrap_or_default())?;
        for piece in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            call(piece, said)?;
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.reason = Some(reason.to_owned());
        }
        Ok(false)
    }

    fn done(&mut self, said: &mut Said) -> bool {
        said.end(self.reason.as_deref(), self.usage);
        true
    }
}

/// Reads a piece of a call. It begins a new call if its number is new, or if its id differs from the last
/// call with that number, since some servers number every call 0.
fn call(piece: &Value, said: &mut Said) -> Result<(), Fault> {
    let text = |pointer: &str| piece.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
    let number = piece.get("index").and_then(Value::as_u64).unwrap_or_default();
    let (id, name) = (text("/id"), text("/function/name"));
    let is_other = |at: &usize| name.is_some() && id.is_some_and(|id| said.id(*at) != Some(id));
    let at = match said.find(number).filter(|at| !is_other(at)) {
        Some(at) => at,
        None => {
            let id = id.map_or_else(|| format!("call_{number}"), str::to_owned);
            said.start(number, id, name.unwrap_or_default())?
        }
    };
    match piece.pointer("/function/arguments") {
        None | Some(Value::Null) => Ok(()),
        Some(Value::String(text)) => said.arguments(at, text.clone()),
        Some(other) => said.arguments(at, other.to_string()),
    }
}

fn whole_call(value: &Value) -> Option<ToolCall> {
    Some(ToolCall {
        id: value.get("id")?.as_str()?.to_owned(),
        name: value.pointer("/function/name")?.as_str()?.to_owned(),
        arguments: arguments(value.pointer("/function/arguments")),
    })
}

fn usage(usage: Option<&Value>) -> Usage {
    Usage { input_tokens: tokens(usage, "prompt_tokens"), output_tokens: tokens(usage, "completion_tokens") }
}
