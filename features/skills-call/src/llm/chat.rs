//! Reports the end of a model request, even if the request is dropped.

use tokio::time::Instant;

use crate::model::{Answer, LanguageModel, Request};
use crate::run::frame::CallFrame;
use crate::span::Span;
use crate::{CallError, Event};

/// Reports the end of a model request, even if the request is dropped.
pub(super) struct OpenChat<'a> {
    frame: CallFrame<'a>,
    model: &'a str,
    attempt: u32,
    pub(super) span: Span,
    start: Instant,
    is_over: bool,
}

impl<'a> OpenChat<'a> {
    pub(super) fn begin(
        frame: CallFrame<'a>,
        model: &'a dyn LanguageModel,
        request: &Request,
        attempt: u32,
    ) -> Self {
        let span = Span::of_chat(model, request);
        Self { frame, model: model.name(), attempt, span, start: Instant::now(), is_over: false }
    }

    pub(super) fn end(mut self, result: &Result<Answer, CallError>) {
        self.is_over = true;
        self.emit(result.as_ref());
    }

    fn emit(&self, result: Result<&Answer, &CallError>) {
        match result {
            Ok(answer) => self.span.answer(answer),
            Err(error) => self.span.fail(error.kind()),
        }
        let event = || Event::Model {
            call: self.frame.id,
            skill: self.frame.name(),
            model: self.model.to_owned(),
            attempt: self.attempt,
            duration: self.start.elapsed(),
            usage: result.map(|answer| answer.usage).unwrap_or_default(),
            error: result.err().map(ToString::to_string),
        };
        self.span.inside(|| self.frame.call.emit(event));
    }
}

impl Drop for OpenChat<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.emit(Err(&CallError::cancelled(self.frame.function.skill.name())));
        }
    }
}
