//! The events of `streamGenerateContent`: each is a whole answer with what is new; the last has a reason for the end.

use serde_json::Value;
use skills_runtime::model::Usage;

use super::whole::{self, Part};
use crate::answer;
use crate::said::{Fault, Reader, Said};

/// What came so far, besides what was said.
#[derive(Default)]
pub(crate) struct Parts {
    usage: Usage,
}

impl Reader for Parts {
    fn take(&mut self, event: &Value, said: &mut Said) -> Result<bool, Fault> {
        if event.get("usageMetadata").is_some_and(Value::is_object) {
            self.usage = whole::usage(event);
        }
        if let Some(reason) = whole::blocked(event) {
            said.refusal(&format!("The prompt was blocked: {reason}"))?;
            said.end(Some("content_filter"), self.usage);
            return Ok(true);
        }
        let Some(candidate) = event.pointer("/candidates/0") else { return Ok(false) };
        for part in whole::parts(candidate) {
            match whole::of(part) {
                Some(Part::Text(text)) => said.text(text)?,
                Some(Part::Thought(text)) => said.thought(text)?,
                Some(Part::Call(call)) => {
                    let name = whole::name(call);
                    let at = said.calls();
                    let at = said.start(at as u64, whole::id(call, name, at), name)?;
                    said.arguments(at, answer::arguments(call.get("args")))?;
                }
                None => {}
            }
        }
        let Some(reason) = candidate.get("finishReason").and_then(Value::as_str) else { return Ok(false) };
        said.end(Some(reason), self.usage);
        Ok(true)
    }
}
