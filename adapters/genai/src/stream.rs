//! The events of genai's stream become [`Delta`]s; a stream that ends without its end is a failure.

use std::collections::VecDeque;
use std::future::Future;

use futures_util::{Stream, StreamExt, stream};
use genai::adapter::AdapterKind;
use genai::chat::{ChatStream, ChatStreamEvent, StreamEnd, ToolCall};
use skills_runtime::call::BoxFuture;
use skills_runtime::model::{Delta, ModelError};

use crate::answer;
use crate::failure::Origin;
use crate::limits::{self, TooMuch};
use crate::request::{Names, repeats_calls};

/// Opens a stream with the first poll, and translates it.
pub(crate) fn deltas<'a>(
    opening: impl Future<Output = Result<(ChatStream, Names), ModelError>> + Send + 'a,
    origin: &'a Origin,
    kind: AdapterKind,
) -> impl Stream<Item = Result<Delta, ModelError>> + Send + 'a {
    // Such a provider marks the end of an answer by the reason for it alone; of a stream that just stops genai makes an end
    // without one.
    let ends_by_reason = matches!(kind, AdapterKind::Gemini | AdapterKind::OpenAIResp);
    let state = State::Closed(Box::pin(opening));
    stream::unfold((state, VecDeque::new()), move |(mut state, mut ready)| async move {
        loop {
            if let Some(delta) = ready.pop_front() {
                return Some((Ok(delta), (state, ready)));
            }
            let failed = match state {
                State::Done => return None,
                State::Closed(opening) => match opening.await {
                    Ok((events, names)) => {
                        state = State::Open(events, Calls::new(names, repeats_calls(kind)));
                        continue;
                    }
                    Err(error) => error,
                },
                State::Open(mut events, mut calls) => match events.next().await {
                    Some(Ok(event)) => {
                        let is_end = matches!(event, ChatStreamEvent::End(_));
                        if is_end && ends_by_reason && !has_reason(&event) {
                            let error = origin.error("the stream ended before the answer did", true);
                            return Some((Err(error), (State::Done, ready)));
                        }
                        match calls.translate(event, &mut ready) {
                            Ok(()) => {
                                state = if is_end { State::Done } else { State::Open(events, calls) };
                                continue;
                            }
                            Err(fault) => origin.error(&fault.to_string(), false),
                        }
                    }
                    Some(Err(error)) => origin.failure(error),
                    None => origin.error("the stream ended before the answer did", true),
                },
            };
            // genai goes on after errors; an answer with a hole in it is none.
            return Some((Err(failed), (State::Done, ready)));
        }
    })
}

fn has_reason(event: &ChatStreamEvent) -> bool {
    matches!(event, ChatStreamEvent::End(end) if end.captured_stop_reason.is_some())
}

enum State<'a> {
    Closed(BoxFuture<'a, Result<(ChatStream, Names), ModelError>>),
    Open(ChatStream, Calls),
    Done,
}

/// What came so far.
struct Calls {
    names: Names,
    /// Whether every piece of a call repeats it from its beginning.
    repeats: bool,
    started: Vec<Started>,
    /// The bytes of text, reasoning and arguments, and those that were looked at for them.
    said: usize,
    looked_at: usize,
}

/// What cannot go on.
enum Fault {
    /// A piece of a call does not go on where the pieces before it ended, or belongs to none.
    Torn,
    TooMuch(TooMuch),
}

impl From<TooMuch> for Fault {
    fn from(fault: TooMuch) -> Self {
        Self::TooMuch(fault)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Torn => formatter.write_str("the pieces of a tool's arguments do not fit together"),
            Self::TooMuch(fault) => fault.fmt(formatter),
        }
    }
}

struct Started {
    id: String,
    /// How many bytes of the arguments were passed on.
    sent: usize,
}

/// How many bytes are looked at for the arguments of an answer, where every piece repeats them.
const LOOKED_AT: usize = 1 << 30;

impl Calls {
    fn new(names: Names, repeats: bool) -> Self {
        Self { names, repeats, started: Vec::new(), said: 0, looked_at: 0 }
    }

    fn translate(&mut self, event: ChatStreamEvent, ready: &mut VecDeque<Delta>) -> Result<(), Fault> {
        match event {
            ChatStreamEvent::Chunk(chunk) if !chunk.content.is_empty() => {
                self.count(chunk.content.len())?;
                ready.push_back(Delta::Text(chunk.content));
            }
            ChatStreamEvent::ReasoningChunk(chunk) if !chunk.content.is_empty() => {
                self.count(chunk.content.len())?;
                ready.push_back(Delta::Reasoning(chunk.content));
            }
            ChatStreamEvent::ToolCallChunk(chunk) => self.piece(&chunk.tool_call, false, ready)?,
            ChatStreamEvent::End(end) => self.end(&end, ready)?,
            _ => {}
        }
        Ok(())
    }

    fn count(&mut self, bytes: usize) -> Result<(), TooMuch> {
        self.said += bytes;
        TooMuch::check("the bytes of an answer", self.said, limits::ANSWER)
    }

    /// Finds the call that a piece belongs to. Where genai does not repeat a call, the pieces after the first have no name,
    /// and instead of the id the number that the server gave, as `call_0`.
    fn find(&self, call: &ToolCall) -> Result<Option<usize>, Fault> {
        let known = self.started.iter().position(|started| started.id == call.call_id);
        if known.is_some() || self.repeats || !call.fn_name.is_empty() {
            return Ok(known);
        }
        let number = call.call_id.strip_prefix("call_").and_then(|number| number.parse::<usize>().ok());
        number.filter(|number| *number < self.started.len()).map(Some).ok_or(Fault::Torn)
    }

    /// Passes on what is new of a call. At the end of the stream none are left empty.
    fn piece(&mut self, call: &ToolCall, is_end: bool, ready: &mut VecDeque<Delta>) -> Result<(), Fault> {
        let index = match self.find(call)? {
            Some(index) => index,
            None => {
                let index = self.started.len();
                TooMuch::check_calls(index + 1)?;
                self.started.push(Started { id: call.call_id.clone(), sent: 0 });
                let name = self.names.received(call.fn_name.clone());
                ready.push_back(Delta::ToolCallStart { index, id: call.call_id.clone(), name });
                index
            }
        };
        let Some(started) = self.started.get_mut(index) else { return Err(Fault::Torn) };
        let arguments = match &call.fn_arguments {
            serde_json::Value::String(text) if !is_end => text.clone(),
            serde_json::Value::Null if !is_end => String::new(),
            other if !is_end || started.sent == 0 => answer::arguments(other),
            _ => return Ok(()),
        };
        let from = if self.repeats { started.sent } else { 0 };
        let new = arguments.get(from..).ok_or(Fault::Torn)?.to_owned();
        started.sent += new.len();
        TooMuch::check("the arguments of a call", started.sent, limits::ARGUMENTS)?;
        self.looked_at += arguments.len();
        TooMuch::check("the repeated arguments of an answer", self.looked_at, LOOKED_AT)?;
        self.count(new.len())?;
        if !new.is_empty() {
            ready.push_back(Delta::ToolCallArguments { index, text: new });
        }
        Ok(())
    }

    fn end(&mut self, end: &StreamEnd, ready: &mut VecDeque<Delta>) -> Result<(), Fault> {
        for call in end.captured_tool_calls().unwrap_or_default() {
            self.piece(call, true, ready)?;
        }
        let empty = self.started.iter().enumerate().filter(|(_, call)| call.sent == 0);
        ready.extend(empty.map(|(index, _)| Delta::ToolCallArguments { index, text: "{}".to_owned() }));
        ready.push_back(Delta::End {
            finish: answer::finish(end.captured_stop_reason.as_ref(), !self.started.is_empty()),
            usage: end.captured_usage.as_ref().map(answer::usage).unwrap_or_default(),
        });
        Ok(())
    }
}
