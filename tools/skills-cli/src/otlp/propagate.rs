//! Links spans to the traces of other programs by the ids under which they are exported.

use std::collections::HashMap;

use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use skills_call::trace::{Propagation, TraceContext};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The link between exported spans and their ids.
pub(super) struct Exported;

impl Propagation for Exported {
    fn context(&self, span: &Span) -> Option<TraceContext> {
        let context = span.context();
        if !context.span().span_context().is_valid() {
            return None;
        }
        let mut told = HashMap::new();
        TraceContextPropagator::new().inject_context(&context, &mut told);
        TraceContext::new(told.get("traceparent")?, told.get("tracestate").map(String::as_str))
    }

    fn adopt(&self, span: &Span, parent: &TraceContext) {
        let told = [("traceparent", parent.parent()), ("tracestate", parent.state())];
        let told: HashMap<String, String> =
            told.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let context = TraceContextPropagator::new().extract(&told);
        // Without the layer that exports, there is no trace to join.
        drop(span.set_parent(context));
    }
}
