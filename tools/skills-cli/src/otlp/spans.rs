//! Converts spans to the OpenTelemetry conventions, which have arrays. `tracing` has none.

use std::fmt;
use std::time::Duration;

use opentelemetry::{Array, Key, Value};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};

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
