//! Connects calls to the traces of other programs.

pub use crate::span::stream;
pub use skills_exec::trace::TraceContext;

/// Maps spans of `tracing` to the ids that other programs know, usually implemented by an exporter. Pass it
/// to a [`Runner`](crate::Runner).
pub trait Propagation: Send + Sync + 'static {
    /// Returns the trace context for a program that runs within a span; `None` for a span that is not
    /// exported.
    fn context(&self, span: &tracing::Span) -> Option<TraceContext>;

    /// Makes a span of another program the parent of a span that has not been entered yet.
    fn adopt(&self, span: &tracing::Span, parent: &TraceContext);
}
