//! Reports the beginning and the end of a call, even if the call is dropped.

use skills_registry::Mode;
use tokio::time::Instant;

use super::Produced;
use super::engine::Call;
use crate::model::Usage;
use crate::span::Span;
use crate::{CallError, CallId, Event, Function};

/// A running call. If it is dropped before its end, it ends as cancelled.
pub(crate) struct OpenCall<'a> {
    /// The data for the event at the end. `None` if nobody listened when the call began.
    observed: Option<Observed<'a>>,
    /// The usage of its requests to a model so far.
    pub(crate) usage: Usage,
}

/// The data for the event at the end of a call.
struct Observed<'a> {
    call: &'a Call,
    id: CallId,
    skill: &'a str,
    depth: u32,
    start: Instant,
    span: Span,
}

impl<'a> OpenCall<'a> {
    pub(crate) fn begin(call: &'a Call, id: CallId, function: Function<'a>, depth: u32, input: &str) -> Self {
        // This check is the only cost for a program without a subscriber (SPEC 20.6).
        let is_observed = Span::is_on() || call.is_observed();
        let observed = is_observed.then(|| Observed::begin(call, id, function, depth, input));
        Self { observed, usage: Usage::default() }
    }

    /// Returns the span of the call, if there is a subscriber.
    pub(crate) fn span(&self) -> Option<Span> {
        self.observed.as_ref().map(|observed| observed.span.clone())
    }

    pub(crate) fn end(mut self, result: &Result<Produced, CallError>) {
        if let Some(observed) = self.observed.take() {
            observed.end(self.usage, result);
        }
    }
}

impl Drop for OpenCall<'_> {
    fn drop(&mut self) {
        if let Some(observed) = self.observed.take() {
            let cancelled = CallError::cancelled(observed.skill);
            observed.end(self.usage, &Err(cancelled));
        }
    }
}

impl<'a> Observed<'a> {
    // This is a separate function, so that calls without a subscriber are fast.
    #[cold]
    fn begin(call: &'a Call, id: CallId, function: Function<'a>, depth: u32, input: &str) -> Self {
        let skill = function.skill.name();
        let trace = call.trace.as_ref().filter(|_| id.parent().is_none());
        let span = Span::of_call(&call.engine, function.skill, function.is_pipeline(), id, trace);
        span.inside(|| {
            call.emit(|| Event::Call {
                call: id,
                skill: skill.to_owned(),
                mode: function.skill.mode().unwrap_or(Mode::Code),
                depth,
                bundle: call.engine.bundle_digest(),
                input: call.payload(input),
            })
        });
        Self { call, id, skill, depth, start: Instant::now(), span }
    }

    #[cold]
    fn end(self, usage: Usage, result: &Result<Produced, CallError>) {
        let error = result.as_ref().err();
        if let Some(error) = error {
            self.span.fail(error.kind());
        }
        self.span.inside(|| {
            self.call.emit(|| Event::Result {
                call: self.id,
                skill: self.skill.to_owned(),
                depth: self.depth,
                duration: self.start.elapsed(),
                error: error.map(ToString::to_string),
                kind: error.map(CallError::kind),
                output: result.as_ref().ok().and_then(|produced| self.call.payload(&produced.text)),
                usage,
            })
        });
    }
}
