//! A call begins and ends: both are told, whether it ends by itself or is dropped (SPEC 7.6).

use skills_registry::Mode;
use tokio::time::Instant;

use super::Produced;
use super::engine::Call;
use crate::call::span::Span;
use crate::call::{CallError, CallId, Event, Function};
use crate::model::Usage;

/// A call under way. Dropped before its end, it ends as cancelled.
pub(in crate::call) struct OpenCall<'a> {
    call: &'a Call,
    id: CallId,
    skill: &'a str,
    depth: u32,
    start: Instant,
    is_over: bool,
    pub(super) span: Span,
    /// What its requests to a model have cost so far.
    pub(in crate::call) usage: Usage,
}

impl<'a> OpenCall<'a> {
    pub(in crate::call) fn begin(
        call: &'a Call,
        id: CallId,
        function: Function<'a>,
        mode: Mode,
        depth: u32,
        input: &str,
    ) -> Self {
        let skill = function.skill.name();
        let trace = call.trace.as_ref().filter(|_| id.parent().is_none());
        let span = Span::of_call(&call.engine, function.skill, function.is_pipeline(), id, trace);
        let event = || Event::Call {
            call: id,
            skill: skill.to_owned(),
            mode,
            depth,
            bundle: call.engine.bundle_digest(),
            input: call.payload(input),
        };
        span.inside(|| call.tell(event));
        Self { call, id, skill, depth, start: Instant::now(), is_over: false, span, usage: Usage::default() }
    }

    pub(in crate::call) fn end(mut self, result: &Result<Produced, CallError>) {
        self.is_over = true;
        let output = || result.as_ref().ok().and_then(|produced| self.call.payload(&produced.text));
        self.tell(result.as_ref().err(), output);
    }

    fn tell(&self, error: Option<&CallError>, output: impl FnOnce() -> Option<String>) {
        if let Some(error) = error {
            self.span.fail(error.kind());
        }
        let event = || Event::Result {
            call: self.id,
            skill: self.skill.to_owned(),
            depth: self.depth,
            duration: self.start.elapsed(),
            error: error.map(ToString::to_string),
            kind: error.map(CallError::kind),
            output: output(),
            usage: self.usage,
        };
        self.span.inside(|| self.call.tell(event));
    }
}

impl Drop for OpenCall<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.tell(Some(&CallError::cancelled(self.skill)), || None);
        }
    }
}
