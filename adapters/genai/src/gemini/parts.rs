//! Reads the response of `generateContent`, or the events of `streamGenerateContent`. Each event has the form
//! of a whole answer with the new parts; the last has the reason for the end.

use serde_json::Value;
use skills_call::model::{ToolCall, Usage};

use crate::answer::{self, tokens};
use crate::said::{Fault, Reader, Said};

/// The state of a response that is not part of the answer's content.
#[derive(Default)]
pub(crate) struct Parts {
    usage: Usage,
}

impl Reader for Parts {
    /// Reads a body, which has the form of a single event.
    fn whole(&mut self, body: &Value, said: &mut Said) -> Result<bool, Fault> {
        if !self.take(body, said)? {
            said.end_whole(None, self.usage);
        }
        Ok(true)
    }

    fn take(&mut self, event: &Value, said: &mut Said) -> Result<bool, Fault> {
        if event.get("usageMetadata").is_some_and(Value::is_object) {
            self.usage = usage(event);
        }
        if let Some(reason) = blocked(event) {
            said.refusal(&format!("The prompt was blocked: {reason}"))?;
            said.end(Some("content_filter"), self.usage);
            return Ok(true);
        }
        let Some(candidate) = event.pointer("/candidates/0") else { return Ok(false) };
        for part in candidate.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten() {
            let text = part.get("text").and_then(Value::as_str);
            match (part.get("functionCall"), text) {
                (Some(call), _) => {
                    let name = call.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
                    let (id, arguments) =
                        (id(call, &name, said.calls()), answer::arguments(call.get("args")));
                    said.call(ToolCall { id, name, arguments })?;
                }
                (None, Some(thought)) if part.get("thought") == Some(&Value::Bool(true)) => {
                    said.thought(thought)?
                }
                (None, Some(text)) => said.text(text)?,
                (None, None) => {}
            }
        }
        let Some(reason) = candidate.get("finishReason").and_then(Value::as_str) else { return Ok(false) };
        said.end(Some(reason), self.usage);
        Ok(true)
    }
}

/// Returns the reason why a prompt was refused.
fn blocked(body: &Value) -> Option<&str> {
    body.pointer("/promptFeedback/blockReason").and_then(Value::as_str)
}

/// Returns the id of a call. Many models send none, so one is generated.
fn id(call: &Value, name: &str, number: usize) -> String {
    let given = call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
    given.map_or_else(|| format!("call#{name}#{number}"), str::to_owned)
}

/// Returns the provider's id of a call, or `None` if the id was generated.
pub(super) fn own_id(id: &str) -> Option<&str> {
    (!id.is_empty() && !id.starts_with("call#")).then_some(id)
}

/// Returns the usage. Input includes the tokens that the provider's own tools read; output includes
/// reasoning.
fn usage(body: &Value) -> Usage {
    let usage = body.get("usageMetadata");
    let sum = |one: &str, other: &str| tokens(usage, one).saturating_add(tokens(usage, other));
    Usage {
        input_tokens: sum("promptTokenCount", "toolUsePromptTokenCount"),
        output_tokens: sum("candidatesTokenCount", "thoughtsTokenCount"),
    }
}
