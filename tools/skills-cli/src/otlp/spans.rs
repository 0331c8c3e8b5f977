//! Converts spans to the OpenTelemetry conventions, which have arrays that `tracing` lacks, and links them to the traces of
//! other programs by the ids under which they are exported.

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::TraceContextExt;
use opentelemetry::{Array, Key, Value};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};
use skills_call::trace::{Propagation, TraceContext};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// An attribute that is an array of texts in the conventions, and a single text in `tracing`.
const FINISH_REASONS: &str = "gen_ai.response.finish_reasons";

/// Converts the spans and passes them to another exporter.
pub(super) struct Arrays<E>(pub(super) E);

impl<E: SpanExporter> SpanExporter for Arrays<E> {
    fn export(&self, mut batch: Vec<SpanData>) -> impl Future<Output = OTelSdkResult> + Send {
        let attributes = batch.iter_mut().flat_map(|span| &mut span.attributes);
        for attribute in attributes.filter(|attribute| attribute.key == Key::from_static_str(FINISH_REASONS))
        {
            if let Value::String(text) = &attribute.value {
                attribute.value = Value::Array(Array::String(vec![text.clone()]));
            }
        }
        self.0.export(batch)
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

impl<E> fmt::Debug for Arrays<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Arrays").finish_non_exhaustive()
    }
}

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
