//! The events of a chat completion become [`Delta`]s; calls are told apart by the index that the server gives.

use std::collections::VecDeque;

use serde_json::Value;
use skills_runtime::model::{Delta, Finish, ModelError, Usage};

use super::whole;
use crate::failure::Origin;
use crate::limits::{self, TooMuch};

/// What came so far.
#[derive(Default)]
pub(super) struct Pieces {
    calls: Vec<Call>,
    /// Why the answer ended, as the server said it.
    reason: Option<String>,
    usage: Usage,
    is_refused: bool,
    /// The bytes of text, reasoning and arguments.
    said: usize,
}

struct Call {
    /// The server's number, which is compared and nothing else.
    index: u64,
    id: String,
    /// The bytes of its arguments.
    arguments: usize,
}

impl Pieces {
    /// Takes an event, and tells whether it is the last.
    pub(super) fn take(
        &mut self,
        data: &str,
        ready: &mut VecDeque<Delta>,
        origin: &Origin,
    ) -> Result<bool, ModelError> {
        if data.trim() == "[DONE]" {
            self.end(ready);
            return Ok(true);
        }
        let event: Value = serde_json::from_str(data)
            .map_err(|error| origin.error(&format!("an event of the stream is no JSON: {error}"), false))?;
        if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
            return Err(origin.event(error));
        }
        if let Some(usage) = event.get("usage").filter(|usage| usage.is_object()) {
            self.usage = whole::usage(Some(usage));
        }
        if let Some(choice) = event.pointer("/choices/0") {
            self.choice(choice, ready).map_err(|error| origin.error(&error.to_string(), false))?;
        }
        Ok(false)
    }

    fn choice(&mut self, choice: &Value, ready: &mut VecDeque<Delta>) -> Result<(), TooMuch> {
        let delta = choice.get("delta").unwrap_or(&Value::Null);
        let text = |key: &str| delta.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        if let Some(thought) = text("reasoning_content").or_else(|| text("reasoning")) {
            self.count(thought.len())?;
            ready.push_back(Delta::Reasoning(thought.to_owned()));
        }
        self.is_refused |= text("refusal").is_some();
        for said in [text("content"), text("refusal")].into_iter().flatten() {
            self.count(said.len())?;
            ready.push_back(Delta::Text(said.to_owned()));
        }
        for piece in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            self.call(piece, ready)?;
        }
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            self.reason = Some(reason.to_owned());
        }
        Ok(())
    }

    /// Takes a piece of a call: it begins one when its number is new, or when it has another id than the last of that
    /// number, since some servers give every call the number 0.
    fn call(&mut self, piece: &Value, ready: &mut VecDeque<Delta>) -> Result<(), TooMuch> {
        let text =
            |pointer: &str| piece.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
        let index = piece.get("index").and_then(Value::as_u64).unwrap_or_default();
        let (id, name) = (text("/id"), text("/function/name"));
        let known = self.calls.iter().rposition(|call| call.index == index);
        let is_other = |call: &Call| name.is_some() && id.is_some_and(|id| id != call.id);
        let known = known.filter(|at| !self.calls.get(*at).is_some_and(is_other));
        let at = known.unwrap_or(self.calls.len());
        if known.is_none() {
            TooMuch::check_calls(at + 1)?;
            let id = id.map_or_else(|| format!("call_{index}"), str::to_owned);
            let name = name.unwrap_or_default().to_owned();
            self.calls.push(Call { index, id: id.clone(), arguments: 0 });
            ready.push_back(Delta::ToolCallStart { index: at, id, name });
        }
        let more = match piece.pointer("/function/arguments") {
            None | Some(Value::Null) => return Ok(()),
            Some(Value::String(text)) if text.is_empty() => return Ok(()),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        self.count(more.len())?;
        if let Some(call) = self.calls.get_mut(at) {
            call.arguments += more.len();
            TooMuch::check("the arguments of a call", call.arguments, limits::ARGUMENTS)?;
        }
        ready.push_back(Delta::ToolCallArguments { index: at, text: more });
        Ok(())
    }

    fn count(&mut self, bytes: usize) -> Result<(), TooMuch> {
        self.said += bytes;
        TooMuch::check("the bytes of an answer", self.said, limits::ANSWER)
    }

    fn end(&mut self, ready: &mut VecDeque<Delta>) {
        let empty = self.calls.iter().enumerate().filter(|(_, call)| call.arguments == 0);
        // A tool without arguments takes an object without members.
        ready.extend(empty.map(|(index, _)| Delta::ToolCallArguments { index, text: "{}".to_owned() }));
        let finish = whole::finish(self.reason.as_deref(), !self.calls.is_empty());
        let finish = if self.is_refused { Finish::ContentFilter } else { finish };
        ready.push_back(Delta::End { finish, usage: self.usage });
    }
}
