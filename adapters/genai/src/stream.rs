//! The events of genai's stream become [`Delta`]s; a stream that ends without its end is a failure.

use std::collections::VecDeque;
use std::future::Future;

use futures_util::{Stream, StreamExt, stream};
use genai::chat::{ChatStream, ChatStreamEvent, StreamEnd, ToolCall};
use skills_runtime::call::BoxFuture;
use skills_runtime::model::{Delta, ModelError};

use crate::answer;
use crate::failure::Origin;
use crate::request::Names;

/// Opens a stream with the first poll, and translates it. `ends_by_reason` says that the provider marks the end of an
/// answer by the reason for it alone; of a stream that just stops genai makes an end without one.
pub(crate) fn deltas<'a>(
    opening: impl Future<Output = Result<(ChatStream, Names), ModelError>> + Send + 'a,
    origin: &'a Origin,
    ends_by_reason: bool,
) -> impl Stream<Item = Result<Delta, ModelError>> + Send + 'a {
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
                        state = State::Open(events, Calls::new(names));
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
                            Err(Torn) => {
                                origin.error("the pieces of a tool's arguments do not fit together", false)
                            }
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

/// The calls of tools so far: genai repeats each from its beginning with every piece.
struct Calls {
    names: Names,
    started: Vec<Started>,
}

/// A piece of a call that does not begin with the pieces before it.
struct Torn;

struct Started {
    id: String,
    /// What was passed on of the arguments.
    sent: String,
}

impl Calls {
    fn new(names: Names) -> Self {
        Self { names, started: Vec::new() }
    }

    fn translate(&mut self, event: ChatStreamEvent, ready: &mut VecDeque<Delta>) -> Result<(), Torn> {
        match event {
            ChatStreamEvent::Chunk(chunk) if !chunk.content.is_empty() => {
                ready.push_back(Delta::Text(chunk.content));
            }
            ChatStreamEvent::ReasoningChunk(chunk) if !chunk.content.is_empty() => {
                ready.push_back(Delta::Reasoning(chunk.content));
            }
            ChatStreamEvent::ToolCallChunk(chunk) => self.piece(&chunk.tool_call, false, ready)?,
            ChatStreamEvent::End(end) => self.end(&end, ready)?,
            _ => {}
        }
        Ok(())
    }

    /// Passes on what is new of a call. At the end of the stream none are left empty.
    fn piece(&mut self, call: &ToolCall, is_end: bool, ready: &mut VecDeque<Delta>) -> Result<(), Torn> {
        let known = self.started.iter().position(|started| started.id == call.call_id);
        let index = known.unwrap_or_else(|| {
            let index = self.started.len();
            self.started.push(Started { id: call.call_id.clone(), sent: String::new() });
            let name = self.names.received(call.fn_name.clone());
            ready.push_back(Delta::ToolCallStart { index, id: call.call_id.clone(), name });
            index
        });
        let Some(started) = self.started.get_mut(index) else { return Err(Torn) };
        let arguments = match &call.fn_arguments {
            serde_json::Value::String(text) if !is_end => text.clone(),
            serde_json::Value::Null if !is_end => String::new(),
            other if !is_end || started.sent.is_empty() => answer::arguments(other),
            _ => return Ok(()),
        };
        let new = arguments.strip_prefix(started.sent.as_str()).ok_or(Torn)?;
        if !new.is_empty() {
            ready.push_back(Delta::ToolCallArguments { index, text: new.to_owned() });
            started.sent = arguments;
        }
        Ok(())
    }

    fn end(&mut self, end: &StreamEnd, ready: &mut VecDeque<Delta>) -> Result<(), Torn> {
        for call in end.captured_tool_calls().unwrap_or_default() {
            self.piece(call, true, ready)?;
        }
        ready.push_back(Delta::End {
            finish: answer::finish(end.captured_stop_reason.as_ref(), !self.started.is_empty()),
            usage: end.captured_usage.as_ref().map(answer::usage).unwrap_or_default(),
        });
        Ok(())
    }
}
