//! The HTTP client of the exporters. Each exporter runs on its own thread.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response, ResponseBodyTooLarge};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::time::Instant;

use skills_commands::failure::CommandError;
use skills_commands::terminal;

/// How long a collector may take to answer, unless the user sets a time.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long all requests together may take after the command ends, unless the user sets a time.
const LAST: Duration = Duration::from_millis(1_500);

/// How much of an answer is read, in bytes. An answer contains at most the refused spans and the reasons.
const ANSWER: usize = 64 << 10;

/// Sends the requests of the exporters. Only the first failure is reported to the user.
pub(super) struct OtlpClient {
    runtime: Runtime,
    http: reqwest::Client,
    has_reported: AtomicBool,
    /// How long a request may take.
    timeout: Duration,
    /// How long all requests may take together from the moment that the command ends.
    last: Duration,
    /// The time at which the last request must be complete. It is set when the command ends.
    deadline: watch::Sender<Option<Instant>>,
}

impl OtlpClient {
    /// Sets the deadline for all requests, including those in progress, and returns the remaining time.
    pub(super) fn end(&self) -> Duration {
        self.deadline.send_replace(Some(Instant::now() + self.last));
        self.last
    }

    /// Waits for the deadline. Waits forever if no deadline is set.
    async fn expired(&self) {
        // This cannot fail, because `self` owns the sender.
        let deadline = self.deadline.subscribe().wait_for(Option::is_some).await.ok().and_then(|set| *set);
        if let Some(deadline) = deadline {
            tokio::time::sleep_until(deadline).await;
        }
    }

    /// Creates the client without opening a connection.
    pub(super) fn new() -> Result<Self, CommandError> {
        let chosen =
            std::env::var("OTEL_EXPORTER_OTLP_TIMEOUT").ok().and_then(|text| text.trim().parse().ok());
        let chosen = chosen.map(Duration::from_millis);
        let timeout = chosen.unwrap_or(DEFAULT_TIMEOUT);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        // Plain HTTP needs no certificates, and some machines have none.
        let http =
            http_builder(timeout).build().or_else(|_| http_builder(timeout).tls_certs_only([]).build());
        Ok(Self {
            runtime: runtime.map_err(CommandError::new)?,
            http: http.map_err(|error| CommandError::new(error.without_url()))?,
            has_reported: AtomicBool::new(false),
            timeout,
            last: chosen.unwrap_or(LAST),
            deadline: watch::Sender::default(),
        })
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let place = format!(
            "{}://{}",
            request.uri().scheme_str().unwrap_or("http"),
            request.uri().authority().map_or("", |at| at.as_str())
        );
        let sent = self.runtime.block_on(async {
            tokio::select! {
                biased;
                () = self.expired() => Err(HttpError::from("the command has ended")),
                sent = exchange(&self.http, request, self.timeout) => sent,
            }
        });
        let failure = match &sent {
            Ok(response) if response.status().is_success() => None,
            Ok(response) => Some(format!("it answers {}", response.status())),
            Err(error) if error.is::<ResponseBodyTooLarge>() => {
                Some(format!("it answers with more than {ANSWER} bytes"))
            }
            Err(_) => Some("it does not answer".to_owned()),
        };
        if let Some(failure) = failure.filter(|_| !self.has_reported.swap(true, Ordering::Relaxed)) {
            terminal::note(format_args!("traces cannot be sent to {place}: {failure}"));
        }
        sent
    }
}

fn http_builder(timeout: Duration) -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        // A redirect would carry headers with keys to another host (SPEC 12.4).
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(timeout)
        .no_proxy()
}

/// Sends a request, and reads the useful part of the answer.
async fn exchange(
    http: &reqwest::Client,
    request: Request<Bytes>,
    timeout: Duration,
) -> Result<Response<Bytes>, HttpError> {
    let mut request = reqwest::Request::try_from(request)?;
    *request.timeout_mut() = Some(timeout);
    let mut answer = http.execute(request).await?;
    let mut response = Response::builder().status(answer.status());
    if let Some(headers) = response.headers_mut() {
        std::mem::swap(headers, answer.headers_mut());
    }
    let mut body = Vec::new();
    while let Some(part) = answer.chunk().await? {
        if body.len().saturating_add(part.len()) > ANSWER {
            return Err(Box::new(ResponseBodyTooLarge::new()));
        }
        body.extend_from_slice(&part);
    }
    Ok(response.body(body.into())?)
}

impl HttpClient for OtlpClient {
    fn send_bytes<'life, 'wait>(
        &'life self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'wait>>
    where
        'life: 'wait,
        Self: 'wait,
    {
        // Blocking is fine here: the thread does nothing else.
        Box::pin(async move { self.send(request) })
    }
}

impl fmt::Debug for OtlpClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("OtlpClient").finish_non_exhaustive()
    }
}
