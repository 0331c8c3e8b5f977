//! Reads the response of the Responses API, or its events. Tool calls are numbered items.

use serde_json::Value;
use skills_call::model::{ToolCall, Usage};

use crate::answer::{arguments, tokens};
use crate::said::{Fault, Reader, Said};

/// A reader without state: the last event has the token counts and the reason for the end.
#[derive(Default)]
pub(crate) struct Items;

impl Reader for Items {
    fn whole(&mut self, body: &Value, said: &mut Said) -> Result<bool, Fault> {
        let is_answer = all(body, said)?;
        said.end_whole(reason(body), usage(body));
        Ok(is_answer)
    }

    fn take(&mut self, event: &Value, said: &mut Said) -> Result<bool, Fault> {
        let text = |key: &str| event.get(key).and_then(Value::as_str).unwrap_or_default();
        let item = event.get("item").unwrap_or(&Value::Null);
        match text("type") {
            "response.output_text.delta" => said.text(text("delta"))?,
            "response.refusal.delta" => said.refusal(text("delta"))?,
            "response.reasoning_text.delta" | "response.reasoning_summary_text.delta" => {
                said.thought(text("delta"))?;
            }
            "response.output_item.added" => {
                begin(event, item, said)?;
            }
            "response.function_call_arguments.delta" => {
                let at = said.find(number(event)).ok_or(Fault::Torn)?;
                said.arguments(at, text("delta").to_owned())?;
            }
            "response.output_item.done" => {
                // Some servers send a call as a whole, without earlier pieces.
                if let Some(at) = begin(event, item, said)? {
                    let arguments = item.get("arguments").and_then(Value::as_str).unwrap_or_default();
                    said.whole_arguments(at, arguments)?;
                }
            }
            "response.completed" | "response.incomplete" => {
                let response = event.get("response").unwrap_or(&Value::Null);
                if said.is_empty() {
                    all(response, said)?;
                }
                said.end(reason(response), usage(response));
                return Ok(true);
            }
            "response.failed" => {
                let error = event.pointer("/response/error").unwrap_or(event);
                return Err(Fault::Reported(error.clone()));
            }
            "error" => return Err(Fault::Reported(event.clone())),
            _ => {}
        }
        Ok(false)
    }
}

/// Finds the call of an item, or begins it. Returns `None` if the item is not a call.
fn begin(event: &Value, item: &Value, said: &mut Said) -> Result<Option<usize>, Fault> {
    if item.get("type").and_then(Value::as_str) != Some("function_call") {
        return Ok(None);
    }
    if let Some(at) = said.find(number(event)) {
        return Ok(Some(at));
    }
    let text = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or_default();
    Ok(Some(said.start(number(event), text("call_id").to_owned(), text("name"))?))
}

/// Reads a response that came as a whole. Returns `false` if it is not a response.
fn all(response: &Value, said: &mut Said) -> Result<bool, Fault> {
    let Some(items) = response.get("output").and_then(Value::as_array) else { return Ok(false) };
    let mut refusal = String::new();
    for item in items {
        match item.get("type").and_then(Value::as_str) {
            Some("message") => {
                for part in item.get("content").and_then(Value::as_array).into_iter().flatten() {
                    let text = |key: &str| part.get(key).and_then(Value::as_str).unwrap_or_default();
                    said.text(text("text"))?;
                    refusal.push_str(text("refusal"));
                }
            }
            Some("function_call") => {
                let Some(call) = call(item) else { return Ok(false) };
                said.call(call)?;
            }
            _ => {}
        }
    }
    if said.is_empty() {
        said.refusal(&refusal)?;
    }
    Ok(true)
}

fn number(event: &Value) -> u64 {
    event.get("output_index").and_then(Value::as_u64).unwrap_or_default()
}

fn call(item: &Value) -> Option<ToolCall> {
    Some(ToolCall {
        id: item.get("call_id")?.as_str()?.to_owned(),
        name: item.get("name")?.as_str()?.to_owned(),
        arguments: arguments(item.get("arguments")),
    })
}

/// Returns the reason why an answer was cut off, if it was.
fn reason(response: &Value) -> Option<&str> {
    let text = |pointer: &str| response.pointer(pointer).and_then(Value::as_str);
    text("/incomplete_details/reason").or_else(|| text("/status"))
}

fn usage(response: &Value) -> Usage {
    let usage = response.get("usage");
    Usage { input_tokens: tokens(usage, "input_tokens"), output_tokens: tokens(usage, "output_tokens") }
}
