//! Collects the content of an answer as [`Delta`]s, within the limits. The reader of each protocol adds to
//! it.

use std::collections::VecDeque;

use serde_json::Value;
use skills_call::model::{Answer, Delta, Finish, ToolCall, Usage};

use crate::limits::{self, TooMuch};

/// Reads the bodies or stream events of a protocol.
pub(crate) trait Reader: Send {
    /// Reads a whole answer. Returns `false` if the body has no answer. An answer without content and without
    /// a reason for its end is not ended.
    fn whole(&mut self, body: &Value, said: &mut Said) -> Result<bool, Fault>;

    /// Reads an event. Returns `true` if it is the last.
    fn take(&mut self, event: &Value, said: &mut Said) -> Result<bool, Fault>;

    /// Reads the mark `[DONE]`. Returns `true` if it ends the answer.
    fn done(&mut self, _said: &mut Said) -> bool {
        false
    }
}

/// An error in a response.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A piece of a call has no call, or contradicts the earlier pieces.
    Torn,
    TooMuch(TooMuch),
    /// The provider reports a failure, in its own format.
    Reported(Value),
}

impl From<TooMuch> for Fault {
    fn from(fault: TooMuch) -> Self {
        Self::TooMuch(fault)
    }
}

/// The content received so far.
#[derive(Default)]
pub(crate) struct Said {
    ready: VecDeque<Delta>,
    /// The calls: the number that the server gave to each, which is only compared, and the size of its
    /// arguments.
    calls: Vec<Call>,
    /// The size of text, reasoning and arguments in bytes.
    bytes: usize,
    has_text: bool,
    is_refused: bool,
}

/// The state of a call.
struct Call {
    number: u64,
    id: String,
    arguments: usize,
}

impl Said {
    pub(crate) fn pop(&mut self) -> Option<Delta> {
        self.ready.pop_front()
    }

    /// Returns the whole answer, or `None` if its end was not received, since any JSON would otherwise give
    /// an empty answer.
    pub(crate) fn answer(self) -> Option<Answer> {
        let is_ended = matches!(self.ready.back(), Some(Delta::End { .. }));
        let mut answer = Answer::default();
        self.ready.into_iter().for_each(|delta| answer.push(delta));
        is_ended.then_some(answer)
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.has_text && self.calls.is_empty()
    }

    pub(crate) fn text(&mut self, text: &str) -> Result<(), TooMuch> {
        self.count(text.len())?;
        if !text.is_empty() {
            self.has_text = true;
            self.ready.push_back(Delta::Text(text.to_owned()));
        }
        Ok(())
    }

    /// Adds text of a refusal.
    pub(crate) fn refusal(&mut self, text: &str) -> Result<(), TooMuch> {
        self.is_refused |= !text.is_empty();
        self.text(text)
    }

    pub(crate) fn thought(&mut self, text: &str) -> Result<(), TooMuch> {
        self.count(text.len())?;
        if !text.is_empty() {
            self.ready.push_back(Delta::Reasoning(text.to_owned()));
        }
        Ok(())
    }

    /// Finds the last call with a number from the server.
    pub(crate) fn find(&self, number: u64) -> Option<usize> {
        self.calls.iter().rposition(|call| call.number == number)
    }

    /// Returns the id of a call.
    pub(crate) fn id(&self, at: usize) -> Option<&str> {
        Some(&self.calls.get(at)?.id)
    }

    /// Returns the number of calls.
    pub(crate) fn calls(&self) -> usize {
        self.calls.len()
    }

    /// Adds a whole call.
    pub(crate) fn call(&mut self, call: ToolCall) -> Result<(), Fault> {
        let at = self.start(self.calls.len() as u64, call.id, &call.name)?;
        self.arguments(at, call.arguments)
    }

    /// Begins a call, and returns its index.
    pub(crate) fn start(&mut self, number: u64, id: String, name: &str) -> Result<usize, TooMuch> {
        let index = self.calls.len();
        TooMuch::check_calls(index + 1)?;
        self.calls.push(Call { number, id: id.clone(), arguments: 0 });
        self.ready.push_back(Delta::ToolCallStart { index, id, name: name.to_owned() });
        Ok(index)
    }

    /// Adds a piece of the arguments of a call.
    pub(crate) fn arguments(&mut self, index: usize, text: String) -> Result<(), Fault> {
        if text.is_empty() {
            return Ok(());
        }
        self.count(text.len())?;
        let call = self.calls.get_mut(index).ok_or(Fault::Torn)?;
        call.arguments += text.len();
        TooMuch::check("the arguments of a call", call.arguments, limits::ARGUMENTS)?;
        self.ready.push_back(Delta::ToolCallArguments { index, text });
        Ok(())
    }

    /// Adds the whole arguments of a call, of which pieces may have been added before.
    pub(crate) fn whole_arguments(&mut self, index: usize, text: &str) -> Result<(), Fault> {
        match self.calls.get(index).map_or(0, |call| call.arguments) {
            0 => self.arguments(index, text.to_owned()),
            sent if sent == text.len() => Ok(()),
            _ => Err(Fault::Torn),
        }
    }

    fn count(&mut self, bytes: usize) -> Result<(), TooMuch> {
        self.bytes += bytes;
        TooMuch::check("the bytes of an answer", self.bytes, limits::ANSWER)
    }

    /// Ends a whole answer if it has any content.
    pub(crate) fn end_whole(&mut self, reason: Option<&str>, usage: Usage) {
        if reason.is_some() || !self.is_empty() {
            self.end(reason, usage);
        }
    }

    /// Ends the answer. Missing arguments of a call are replaced with an empty object.
    pub(crate) fn end(&mut self, reason: Option<&str>, usage: Usage) {
        let empty = self.calls.iter().enumerate().filter(|(_, call)| call.arguments == 0);
        self.ready.extend(empty.map(|(index, _)| Delta::ToolCallArguments { index, text: "{}".to_owned() }));
        let finish = crate::answer::finish(reason, !self.calls.is_empty());
        let finish = if self.is_refused { Finish::ContentFilter } else { finish };
        self.ready.push_back(Delta::End { finish, usage });
    }
}
