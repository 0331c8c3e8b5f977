//! Connects calls to the traces of other programs.

pub use skills_exec::trace::TraceContext;

use crate::model::{BoxStream, Delta, LanguageModel, ModelError, Request};

/// Maps spans of `tracing` to the ids that other programs know, usually implemented by an exporter. Pass it
/// to a [`Runner`](crate::Runner).
pub trait Propagation: Send + Sync + 'static {
    /// Returns the trace context for a program that runs within a span; `None` for a span that is not
    /// exported.
    fn context(&self, span: &tracing::Span) -> Option<TraceContext>;

    /// Makes a span of another program the parent of a span that has not been entered yet.
    fn adopt(&self, span: &tracing::Span, parent: &TraceContext);
}

/// Requests an answer in pieces from a model, within a separate span like the requests of skills. This is for
/// hosts that use the model of their runner directly. If the stream is dropped before its end, the span ends
/// as cancelled.
pub fn stream<'a>(
    model: &'a dyn LanguageModel,
    request: &'a Request,
) -> BoxStream<'a, Result<Delta, ModelError>> {
    crate::span::stream(model, request)
}
