//! The events of a response; calls are items with a number.

use serde_json::Value;

use super::whole;
use crate::said::{Fault, Reader, Said};

/// Nothing is kept: the last event has the numbers of tokens, and why the answer ended.
#[derive(Default)]
pub(crate) struct Items;

impl Reader for Items {
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
                // Some servers send a call as a whole, and nothing before.
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
                said.end(whole::reason(response).as_deref(), whole::usage(response));
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

/// Finds the call that an item is, or begins it; nothing where it is none.
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

/// Says all of a response that came without pieces.
fn all(response: &Value, said: &mut Said) -> Result<(), Fault> {
    let Some(answer) = whole::answer(response)? else { return Ok(()) };
    if answer.finish == skills_runtime::model::Finish::ContentFilter {
        said.refusal(&answer.text)?;
    } else {
        said.text(&answer.text)?;
    }
    for call in answer.tool_calls {
        let number = said.calls() as u64;
        let at = said.start(number, call.id, &call.name)?;
        said.arguments(at, call.arguments)?;
    }
    Ok(())
}

fn number(event: &Value) -> u64 {
    event.get("output_index").and_then(Value::as_u64).unwrap_or_default()
}
