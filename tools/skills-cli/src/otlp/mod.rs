//! `--otlp`: sends the spans of calls, and metrics about them, to an OpenTelemetry collector.
//!
//! ```text
//! spans of tracing -> tracing-opentelemetry -> batch -> OTLP over HTTP, protobuf
//!                  -> metrics -> histograms -> the same
//! ```

mod client;
mod metrics;
mod spans;

use std::sync::Arc;

use clap::Args;
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{MetricExporter, RetryPolicy, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use skills_call::Runner;
use skills_commands::failure::CommandError;
use tracing::Metadata;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;

use crate::verbose::Part;
use client::OtlpClient;

/// The OpenTelemetry variables that hold the address of the collector: for both signals, or for one of them.
const ENDPOINTS: [&str; 3] = [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
];

#[derive(Debug, Args)]
pub(crate) struct Otlp {
    /// Send traces and metrics, without inputs and outputs, to this OpenTelemetry collector by OTLP over HTTP, such as
    /// http://127.0.0.1:4318 [default: OTEL_EXPORTER_OTLP_ENDPOINT]
    #[arg(long, value_name = "URL", help_heading = "Traces")]
    otlp: Option<String>,
}

/// The trace export of a running command. Dropping it sends the remaining data.
#[must_use = "if it is dropped, nothing more is sent"]
pub(crate) struct Exporting {
    spans: SdkTracerProvider,
    metrics: SdkMeterProvider,
    client: Arc<OtlpClient>,
}

impl Drop for Exporting {
    fn drop(&mut self) {
        let last = self.client.end();
        // A collector that cannot be reached was already reported when the first request failed. Without the
        // deadline of the client, the shutdown of the metrics would wait for 5 s.
        drop(self.spans.shutdown_with_timeout(last));
        drop(self.metrics.shutdown_with_timeout(last));
    }
}

impl Otlp {
    /// Returns `true` if the user wants traces.
    pub(crate) fn is_wanted(&self) -> bool {
        let is_off = std::env::var("OTEL_SDK_DISABLED").is_ok_and(|value| value.eq_ignore_ascii_case("true"));
        let mut endpoints = ENDPOINTS.into_iter().filter_map(|name| std::env::var(name).ok());
        self.otlp.is_some() || (!is_off && endpoints.any(|value| !value.trim().is_empty()))
    }

    /// Creates the exporters of spans and metrics, and the layers that collect the data. Returns `None` if
    /// the user does not want traces.
    pub(crate) fn start(&self) -> Result<Option<(Exporting, Vec<Part>)>, CommandError> {
        if !self.is_wanted() {
            return Ok(None);
        }
        let client = Arc::new(OtlpClient::new().map_err(|error| unstarted(&error))?);
        let mut spans = SpanExporter::builder().with_http().with_shared_http_client(client.clone());
        let mut metrics = MetricExporter::builder().with_http().with_shared_http_client(client.clone());
        // A retry would delay the end of the command and the next batch.
        spans = spans.with_retry_policy(RetryPolicy::default().with_max_retries(0));
        metrics = metrics.with_retry_policy(RetryPolicy::default().with_max_retries(0));
        if let Some(url) = &self.otlp {
            spans = spans.with_endpoint(endpoint(url, "traces"));
            metrics = metrics.with_endpoint(endpoint(url, "metrics"));
        }
        let spans = SdkTracerProvider::builder()
            .with_batch_exporter(spans::Arrays(spans.build().map_err(|error| unstarted(&error))?))
            .with_resource(resource())
            .build();
        let metrics = SdkMeterProvider::builder()
            .with_periodic_exporter(metrics.build().map_err(|error| unstarted(&error))?)
            .with_resource(resource())
            .build();
        let tracer = spans.tracer("skills");
        let gathered = tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false)
            .with_filter(filter_fn(is_exported));
        let measured =
            metrics::Measured::new(&metrics).with_filter(filter_fn(|data| data.is_span() && is_own(data)));
        let parts: Vec<Part> = vec![Box::new(gathered), Box::new(measured)];
        Ok(Some((Exporting { spans, metrics, client }, parts)))
    }

    /// Connects the calls of a runner to the traces of other programs, if the user wants traces.
    pub(crate) fn propagate(&self, runner: Runner) -> Runner {
        if !self.is_wanted() {
            return runner;
        }
        runner.propagation(spans::Exported)
    }
}

fn unstarted(error: &dyn std::fmt::Display) -> CommandError {
    format!("--otlp: {error}").into()
}

fn is_own(data: &Metadata<'_>) -> bool {
    data.target() == "skills"
}

/// Events hold the texts of failures, which may quote the input. Only events without such a text are
/// exported.
fn is_exported(data: &Metadata<'_>) -> bool {
    is_own(data) && (data.is_span() || matches!(data.name(), "step_start" | "step_skipped"))
}

/// Returns the address of a signal below the address of the collector.
fn endpoint(url: &str, signal: &str) -> String {
    format!("{}/v1/{signal}", url.trim_end_matches('/'))
}

/// Returns the service name of the traces: `skills`, unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES set
/// another one.
fn resource() -> Resource {
    let named = std::env::var("OTEL_SERVICE_NAME").is_ok_and(|name| !name.is_empty())
        || std::env::var("OTEL_RESOURCE_ATTRIBUTES").is_ok_and(|all| all.contains("service.name="));
    let builder = Resource::builder();
    let builder = if named { builder } else { builder.with_service_name("skills") };
    builder.with_attribute(opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION"))).build()
}
