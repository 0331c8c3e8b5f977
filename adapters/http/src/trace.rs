//! The span of a request, with the client's span as its parent.

use axum::http::{HeaderMap, StatusCode};
use skills_call::Runner;
use skills_call::trace::TraceContext;
use tracing::Span;
use tracing::field::Empty;

/// Returns the trace context of a client.
pub(crate) fn client(headers: &HeaderMap) -> Option<TraceContext> {
    TraceContext::new(header(headers, "traceparent")?, header(headers, "tracestate"))
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Opens the span of a request to a route.
pub(crate) fn open(runner: &Runner, route: &'static str, client: Option<&TraceContext>) -> Span {
    let span = tracing::info_span!(
        target: "skills", "http",
        otel.name = format!("POST {route}"), otel.kind = "server", otel.status_code = Empty, "error.type" = Empty,
        http.request.method = "POST", http.route = route, http.response.status_code = Empty,
    );
    runner.server_access().adopt(&span, client);
    span
}

/// Records the status of the response.
pub(crate) fn end(span: &Span, status: StatusCode) {
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.record("error.type", status.as_str()).record("otel.status_code", "ERROR");
    }
}
