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
        let mut carrier = HashMap::new();
        TraceContextPropagator::new().inject_context(&context, &mut carrier);
        TraceContext::new(carrier.get("traceparent")?, carrier.get("tracestate").map(String::as_str))
    }

    fn adopt(&self, span: &Span, parent: &TraceContext) {
        let carrier = [("traceparent", parent.parent()), ("tracestate", parent.state())];
        let carrier: HashMap<String, String> =
            carrier.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let context = TraceContextPropagator::new().extract(&carrier);
        // Without the layer that exports, there is no trace to join.
        drop(span.set_parent(context));
    }
}
