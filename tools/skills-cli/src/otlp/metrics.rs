//! Computes metrics from spans that end: tokens, durations, and failures by `error.type`.
//!
//! Every span counts, even if its trace is not sampled.

use std::fmt;
use std::time::Instant;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Histogram, Meter, MeterProvider};
use opentelemetry_sdk::metrics::SdkMeterProvider;
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::LookupSpan;

/// Bucket bounds for seconds and for tokens, as the OpenTelemetry conventions recommend.
const SECONDS: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS: [f64; 14] = [
    1.0, 4.0, 16.0, 64.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0, 262144.0, 1048576.0, 4194304.0,
    16777216.0, 67108864.0,
];

/// The attributes that distinguish the series of a metric. Each has few values.
const KEPT: [&str; 8] = [
    "error.type",
    "gen_ai.agent.name",
    "gen_ai.operation.name",
    "gen_ai.provider.name",
    "gen_ai.request.model",
    "gen_ai.response.model",
    "gen_ai.tool.name",
    "gen_ai.tool.type",
];

/// Computes the metrics of spans.
pub(super) struct Measured {
    chat: Histogram<f64>,
    tool: Histogram<f64>,
    workflow: Histogram<f64>,
    tokens: Histogram<u64>,
}

/// The data collected about a span so far.
struct CollectedData {
    began: Instant,
    attributes: Vec<KeyValue>,
    operation: String,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

impl Measured {
    pub(super) fn new(provider: &SdkMeterProvider) -> Self {
        let meter = provider.meter("skills");
        Self {
            chat: seconds(&meter, "gen_ai.client.operation.duration"),
            tool: seconds(&meter, "gen_ai.execute_tool.duration"),
            workflow: seconds(&meter, "gen_ai.invoke_agent.duration"),
            tokens: meter
                .u64_histogram("gen_ai.client.token.usage")
                .with_unit("{token}")
                .with_boundaries(TOKENS.to_vec())
                .build(),
        }
    }
}

fn seconds(meter: &Meter, name: &'static str) -> Histogram<f64> {
    meter.f64_histogram(name).with_unit("s").with_boundaries(SECONDS.to_vec()).build()
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Measured {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let mut seen = CollectedData {
            began: Instant::now(),
            attributes: Vec::new(),
            operation: String::new(),
            input_tokens: None,
            output_tokens: None,
        };
        attributes.record(&mut seen);
        if let Some(span) = context.span(id).filter(|_| !seen.operation.is_empty()) {
            span.extensions_mut().insert(seen);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id)
            && let Some(seen) = span.extensions_mut().get_mut::<CollectedData>()
        {
            values.record(seen);
        }
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let Some(seen) = context.span(&id).and_then(|span| span.extensions_mut().remove::<CollectedData>())
        else {
            return;
        };
        let duration = match seen.operation.as_str() {
            "chat" => &self.chat,
            "execute_tool" => &self.tool,
            "invoke_workflow" => &self.workflow,
            _ => return,
        };
        duration.record(seen.began.elapsed().as_secs_f64(), &seen.attributes);
        for (kind, count) in [("input", seen.input_tokens), ("output", seen.output_tokens)] {
            let Some(count) = count else { continue };
            let mut attributes = seen.attributes.clone();
            attributes.push(KeyValue::new("gen_ai.token.type", kind));
            self.tokens.record(count, &attributes);
        }
    }
}

impl Visit for CollectedData {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "gen_ai.operation.name" {
            value.clone_into(&mut self.operation);
        }
        if KEPT.contains(&field.name()) {
            self.attributes.push(KeyValue::new(field.name(), value.to_owned()));
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        let count = u64::try_from(value).ok();
        match field.name() {
            "gen_ai.usage.input_tokens" => self.input_tokens = count,
            "gen_ai.usage.output_tokens" => self.output_tokens = count,
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}
