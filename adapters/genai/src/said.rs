//! What a model says, piece by piece, becomes [`Delta`]s within the limits; the reader of each protocol tells it.

use std::collections::VecDeque;

use serde_json::Value;
use skills_call::model::{Answer, Delta, Finish, ToolCall, Usage};

use crate::limits::{self, TooMuch};

/// What a protocol makes of a body, or of the events of a stream.
pub(crate) trait Reader: Send {
    /// Takes a whole answer; false where there is none. One that has neither words nor a reason to end is left open.
    fn whole(&mut self, body: &Value, said: &mut Said) -> Result<bool, Fault>;

    /// Takes an event, and tells whether it is the last.
    fn take(&mut self, event: &Value, said: &mut Said) -> Result<bool, Fault>;

    /// Takes the mark `[DONE]`, and tells whether it ends the answer.
    fn done(&mut self, _said: &mut Said) -> bool {
        false
    }
}

/// What cannot go on.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A piece of a call belongs to none, or is not what came of it.
    Torn,
    TooMuch(TooMuch),
    /// The provider tells of a failure, in words of its own.
    Reported(Value),
}

impl From<TooMuch> for Fault {
    fn from(fault: TooMuch) -> Self {
        Self::TooMuch(fault)
    }
}

/// What came so far.
#[derive(Default)]
pub(crate) struct Said {
    ready: VecDeque<Delta>,
    /// The calls: the server's number of each, which is compared and nothing else, and the bytes of its arguments.
    calls: Vec<Call>,
    /// The bytes of text, reasoning and arguments.
    bytes: usize,
    has_text: bool,
    is_refused: bool,
}

/// What one call came to so far.
struct Call {
    number: u64,
    id: String,
    arguments: usize,
}

impl Said {
    pub(crate) fn pop(&mut self) -> Option<Delta> {
        self.ready.pop_front()
    }

    /// Puts what was said together; nothing where the end was not, since any JSON would make an empty answer.
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

    /// Takes words of a refusal, which are text.
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

    /// Finds the last call with a number of the server's.
    pub(crate) fn find(&self, number: u64) -> Option<usize> {
        self.calls.iter().rposition(|call| call.number == number)
    }

    /// The id of a call.
    pub(crate) fn id(&self, at: usize) -> Option<&str> {
        Some(&self.calls.get(at)?.id)
    }

    /// How many calls there are.
    pub(crate) fn calls(&self) -> usize {
        self.calls.len()
    }

    /// Takes a whole call.
    pub(crate) fn call(&mut self, call: ToolCall) -> Result<(), Fault> {
        let at = self.start(self.calls.len() as u64, call.id, &call.name)?;
        self.arguments(at, call.arguments)
    }

    /// Begins a call, and returns its place.
    pub(crate) fn start(&mut self, number: u64, id: String, name: &str) -> Result<usize, TooMuch> {
        let index = self.calls.len();
        TooMuch::check_calls(index + 1)?;
        self.calls.push(Call { number, id: id.clone(), arguments: 0 });
        self.ready.push_back(Delta::ToolCallStart { index, id, name: name.to_owned() });
        Ok(index)
    }

    /// Takes a piece of the arguments of a call.
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

    /// Takes the arguments of a call as a whole, which may have come in pieces before.
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

    /// Ends a whole answer, where it says anything at all.
    pub(crate) fn end_whole(&mut self, reason: Option<&str>, usage: Usage) {
        if reason.is_some() || !self.is_empty() {
            self.end(reason, usage);
        }
    }

    /// Ends the answer. A tool without arguments takes an object without members.
    pub(crate) fn end(&mut self, reason: Option<&str>, usage: Usage) {
        let empty = self.calls.iter().enumerate().filter(|(_, call)| call.arguments == 0);
        self.ready.extend(empty.map(|(index, _)| Delta::ToolCallArguments { index, text: "{}".to_owned() }));
        let finish = crate::answer::finish(reason, !self.calls.is_empty());
        let finish = if self.is_refused { Finish::ContentFilter } else { finish };
        self.ready.push_back(Delta::End { finish, usage });
    }
}
