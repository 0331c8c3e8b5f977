//! How calls take part in a trace of other programs.

pub use skills_exec::trace::TraceContext;

use crate::model::{BoxStream, Delta, LanguageModel, ModelError, Request};

/// Who knows spans of `tracing` by the ids that other programs know them by: whatever exports them. A
/// [`Runner`](crate::Runner) is given it.
pub trait Propagation: Send + Sync + 'static {
    /// Returns the trace context for a program that runs within a span. `None` if the span is not exported.
    fn context(&self, span: &tracing::Span) -> Option<TraceContext>;

    /// Puts a span, which nobody has entered yet, below one of another program.
    fn adopt(&self, span: &tracing::Span, parent: &TraceContext);
}

/// Asks a model for an answer in pieces, within a span of its own, as a skill that asks one has it (SPEC 20.1): for a host
/// that asks the model of its runner itself. Dropped before its end, the span ends as cancelled.
pub fn stream<'a>(
    model: &'a dyn LanguageModel,
    request: &'a Request,
) -> BoxStream<'a, Result<Delta, ModelError>> {
    crate::span::stream(model, request)
}
