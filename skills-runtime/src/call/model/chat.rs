//! A request to a model begins and ends: its end is told, whether it ends by itself or is dropped (SPEC 7.6).

use tokio::time::Instant;

use crate::call::run::CallFrame;
use crate::call::{CallError, Event};
use crate::model::Answer;

/// A request to a model under way. Dropped before its answer, it ends as cancelled.
pub(super) struct OpenChat<'a> {
    frame: CallFrame<'a>,
    model: &'a str,
    attempt: u32,
    start: Instant,
    is_over: bool,
}

impl<'a> OpenChat<'a> {
    pub(super) fn begin(frame: CallFrame<'a>, model: &'a str, attempt: u32) -> Self {
        Self { frame, model, attempt, start: Instant::now(), is_over: false }
    }

    pub(super) fn end(mut self, result: &Result<Answer, CallError>) {
        self.is_over = true;
        self.tell(result.as_ref());
    }

    fn tell(&self, result: Result<&Answer, &CallError>) {
        self.frame.call.tell(|| Event::Model {
            call: self.frame.id,
            skill: self.frame.name(),
            model: self.model.to_owned(),
            attempt: self.attempt,
            duration: self.start.elapsed(),
            usage: result.map(|answer| answer.usage).unwrap_or_default(),
            error: result.err().map(ToString::to_string),
        });
    }
}

impl Drop for OpenChat<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.tell(Err(&CallError::cancelled(self.frame.function.skill.name())));
        }
    }
}
