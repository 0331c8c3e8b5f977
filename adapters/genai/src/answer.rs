//! Assembles the events of a [`genai`] stream into [`Delta`]s, within the limits.

use std::collections::VecDeque;
use std::time::Duration;

use genai::chat::{ChatStreamEvent, StopReason, StreamEnd};
use skills_call::model::{Delta, Finish, Usage};

use crate::calls::{BrokenToolCall, Calls};

/// An error in the events of a stream.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A piece of a tool call belongs to no known call, or contradicts the earlier pieces.
    BrokenToolCall,
    /// The stream ended before the provider gave a reason for the end.
    Unfinished,
    TooMuch(TooMuch),
}

impl From<TooMuch> for Fault {
    fn from(fault: TooMuch) -> Self {
        Self::TooMuch(fault)
    }
}

impl From<BrokenToolCall> for Fault {
    fn from(_: BrokenToolCall) -> Self {
        Self::BrokenToolCall
    }
}

/// The content received so far.
#[derive(Default)]
pub(crate) struct Assembly {
    ready: VecDeque<Delta>,
    calls: Calls,
    /// The size of text, reasoning, names and arguments in bytes.
    bytes: usize,
}

impl Assembly {
    pub(crate) fn pop(&mut self) -> Option<Delta> {
        self.ready.pop_front()
    }

    /// Adds an event. Returns `true` if it is the last.
    pub(crate) fn push(&mut self, event: ChatStreamEvent) -> Result<bool, Fault> {
        match event {
            ChatStreamEvent::Chunk(chunk) => self.add(Delta::Text(chunk.content))?,
            ChatStreamEvent::ReasoningChunk(chunk) => self.add(Delta::Reasoning(chunk.content))?,
            ChatStreamEvent::ToolCallChunk(chunk) => self.call(chunk.tool_call)?,
            ChatStreamEvent::End(end) => {
                self.end(end)?;
                return Ok(true);
            }
            ChatStreamEvent::Start
            | ChatStreamEvent::ThoughtSignatureChunk(_)
            | ChatStreamEvent::Heartbeat => {}
        }
        Ok(false)
    }

    fn call(&mut self, call: genai::chat::ToolCall) -> Result<(), Fault> {
        for delta in self.calls.push(call)? {
            self.add(delta)?;
        }
        Ok(())
    }

    /// Adds a piece if the answer stays within the limits.
    fn add(&mut self, delta: Delta) -> Result<(), Fault> {
        let size = match &delta {
            Delta::Text(text) | Delta::Reasoning(text) if text.is_empty() => return Ok(()),
            Delta::Text(text) | Delta::Reasoning(text) | Delta::ToolCallArguments { text, .. } => text.len(),
            Delta::ToolCallStart { id, name, index } => {
                TooMuch::check_calls(index + 1)?;
                id.len() + name.len()
            }
            _ => 0,
        };
        self.bytes += size;
        TooMuch::check("the bytes of an answer", self.bytes, MAX_ANSWER)?;
        if let Delta::ToolCallArguments { index, .. } = &delta {
            let size = self.calls.size(*index);
            TooMuch::check("the arguments of a call", size, MAX_ARGUMENTS)?;
        }
        self.ready.push_back(delta);
        Ok(())
    }

    /// Ends the answer. Missing arguments of a call are replaced with an empty object.
    fn end(&mut self, end: StreamEnd) -> Result<(), Fault> {
        // If the connection closes early, some of genai's readers also report an end, but without a reason.
        let reason = end.captured_stop_reason.ok_or(Fault::Unfinished)?;
        let usage = end.captured_usage.unwrap_or_default();
        // Only OpenAI's Responses API fills this: there, a whole call can arrive at the end.
        for call in end.captured_content.into_iter().flat_map(genai::chat::MessageContent::into_tool_calls) {
            for delta in self.calls.complete(call)? {
                self.add(delta)?;
            }
        }
        for delta in self.calls.fill() {
            self.add(delta)?;
        }
        let usage = Usage {
            input_tokens: count_of_tokens(usage.prompt_tokens),
            output_tokens: count_of_tokens(usage.completion_tokens),
        };
        self.add(Delta::End { finish: finish(&reason, !self.calls.is_empty()), usage })
    }
}

/// Returns a count of tokens; 0 if a provider says none, or a negative one.
fn count_of_tokens(count: Option<i32>) -> u64 {
    u64::try_from(count.unwrap_or_default()).unwrap_or_default()
}

/// Returns the reason why an answer ended. Some providers send "stop" even for tool calls.
fn finish(reason: &StopReason, has_calls: bool) -> Finish {
    match reason {
        StopReason::MaxTokens(_) => Finish::Length,
        StopReason::ContentFilter(_) => Finish::ContentFilter,
        _ if has_calls => Finish::ToolCalls,
        StopReason::ToolCall(_) => Finish::ToolCalls,
        StopReason::Completed(_) | StopReason::StopSequence(_) => Finish::Stop,
        StopReason::Other(_) => Finish::Other,
    }
}

/// The maximum size of text, reasoning, names and arguments together, in bytes.
pub(crate) const MAX_ANSWER: usize = 16 << 20;

/// The maximum size of the arguments of one call in bytes.
pub(crate) const MAX_ARGUMENTS: usize = 1 << 20;

/// The maximum time that may be spent on reading one answer, without the time in which nothing arrives. genai copies all
/// that has arrived of an event for each new piece of it, so that an event of 20 MB takes many seconds.
pub(crate) const MAX_READING: Duration = Duration::from_secs(5);

/// The maximum number of calls in one answer.
pub(crate) const MAX_CALLS: usize = 128;

/// The error for exceeding a limit: name, limit and unit.
#[derive(Debug)]
pub(crate) struct TooMuch(&'static str, usize, &'static str);

impl TooMuch {
    /// Checks a size in bytes.
    pub(crate) fn check(what: &'static str, bytes: usize, most: usize) -> Result<(), Self> {
        if bytes > most { Err(Self(what, most >> 20, "MiB")) } else { Ok(()) }
    }

    /// The error for too much work on reading an answer.
    pub(crate) fn reading() -> Self {
        Self("the seconds that it takes to read an answer", MAX_READING.as_secs() as usize, "s")
    }

    /// Checks a number of calls.
    pub(crate) fn check_calls(count: usize) -> Result<(), Self> {
        if count > MAX_CALLS { Err(Self("the calls of an answer", MAX_CALLS, "calls")) } else { Ok(()) }
    }
}

impl std::fmt::Display for TooMuch {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(what, most, unit) = self;
        write!(formatter, "{what} exceed the limit of {most} {unit}")
    }
}
