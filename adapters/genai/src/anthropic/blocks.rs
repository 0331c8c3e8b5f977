//! Reads the response of the Messages API, or its events. Tool calls are numbered blocks.

use serde_json::Value;
use skills_call::model::{ToolCall, Usage};

use crate::answer::{arguments, tokens};
use crate::said::{Fault, Reader, Said};

/// The state of a response that is not part of the answer's content.
#[derive(Default)]
pub(crate) struct Blocks {
    /// The reason why the answer ended, as the server sent it.
    reason: Option<String>,
    usage: Usage,
}

impl Reader for Blocks {
    fn whole(&mut self, body: &Value, said: &mut Said) -> Result<bool, Fault> {
        let Some(blocks) = body.get("content").and_then(Value::as_array) else { return Ok(false) };
        for block in blocks {
            let text = |key: &str| block.get(key).and_then(Value::as_str);
            match text("type") {
                Some("text") => said.text(text("text").unwrap_or_default())?,
                Some("tool_use") => {
                    let (Some(id), Some(name)) = (text("id"), text("name")) else { return Ok(false) };
                    let arguments = arguments(block.get("input"));
                    said.call(ToolCall { id: id.to_owned(), name: name.to_owned(), arguments })?;
                }
                _ => {}
            }
        }
        let reason = body.get("stop_reason").and_then(Value::as_str);
        said.end_whole(reason, usage(body.get("usage")));
        Ok(true)
    }

    fn take(&mut self, event: &Value, said: &mut Said) -> Result<bool, Fault> {
        let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str);
        match text("/type") {
            Some("message_start") => self.count(event.pointer("/message/usage")),
            Some("content_block_start") => match text("/content_block/type") {
                Some("text") => said.text(text("/content_block/text").unwrap_or_default())?,
                Some("thinking") => said.thought(text("/content_block/thinking").unwrap_or_default())?,
                Some("tool_use") => {
                    let id = text("/content_block/id").unwrap_or_default();
                    let name = text("/content_block/name").unwrap_or_default();
                    said.start(number(event), id.to_owned(), name)?;
                }
                _ => {}
            },
            Some("content_block_delta") => match text("/delta/type") {
                Some("text_delta") => said.text(text("/delta/text").unwrap_or_default())?,
                Some("thinking_delta") => said.thought(text("/delta/thinking").unwrap_or_default())?,
                Some("input_json_delta") => {
                    let more = text("/delta/partial_json").unwrap_or_default();
                    // The provider's own tools also have input, in blocks that do not begin one of our calls.
                    if let Some(at) = said.find(number(event)) {
                        said.arguments(at, more.to_owned())?;
                    }
                }
                _ => {}
            },
            Some("message_delta") => {
                self.count(event.get("usage"));
                if let Some(reason) = text("/delta/stop_reason") {
                    self.reason = Some(reason.to_owned());
                }
            }
            Some("message_stop") => {
                said.end(self.reason.as_deref(), self.usage);
                return Ok(true);
            }
            _ => {}
        }
        Ok(false)
    }
}

impl Blocks {
    /// Updates the token counts. Later counts include earlier ones, or omit them.
    fn count(&mut self, usage: Option<&Value>) {
        let Usage { input_tokens, output_tokens } = self::usage(usage);
        if input_tokens > 0 {
            self.usage.input_tokens = input_tokens;
        }
        if output_tokens > 0 {
            self.usage.output_tokens = output_tokens;
        }
    }
}

fn number(event: &Value) -> u64 {
    event.get("index").and_then(Value::as_u64).unwrap_or_default()
}

/// Returns the usage. Tokens read from a cache or written to one are counted separately by the provider.
fn usage(usage: Option<&Value>) -> Usage {
    let input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    Usage {
        input_tokens: input.iter().fold(0, |sum, key| tokens(usage, key).saturating_add(sum)),
        output_tokens: tokens(usage, "output_tokens"),
    }
}
