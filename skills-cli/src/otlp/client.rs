//! The HTTP client of the exporters, which run on threads of their own.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::runtime::Runtime;

use crate::terminal;

/// How long a collector may take to answer, and how long when the command ends.
const PATIENCE: Duration = Duration::from_secs(5);
pub(super) const LAST: Duration = Duration::from_secs(1);

/// Sends what exporters have put together. The first failure is told to the user, and no other.
pub(super) struct Client {
    runtime: Runtime,
    http: reqwest::Client,
    is_told: AtomicBool,
    is_ending: AtomicBool,
}

impl Client {
    /// Waits less from now on.
    pub(super) fn end(&self) {
        self.is_ending.store(true, Ordering::Relaxed);
    }

    /// Makes the client; it opens no connection yet.
    pub(super) fn new() -> Result<Self, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let versions = || {
            ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
                .with_safe_default_protocol_versions()
                .map_err(|error| format!("no TLS: {error}"))
        };
        // Over plain HTTP no certificate is ever read, so a machine without any is good enough for that.
        let tls = match versions()?.with_platform_verifier() {
            Ok(builder) => builder.with_no_client_auth(),
            Err(_) => versions()?.with_root_certificates(RootCertStore::empty()).with_no_client_auth(),
        };
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            // A redirect would carry headers with keys to another host (SPEC 12.4).
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(PATIENCE)
            .no_proxy()
            .build();
        Ok(Self {
            runtime: runtime.map_err(|error| error.to_string())?,
            http: http.map_err(|error| error.without_url().to_string())?,
            is_told: AtomicBool::new(false),
            is_ending: AtomicBool::new(false),
        })
    }

    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let place = format!(
            "{}://{}",
            request.uri().scheme_str().unwrap_or("http"),
            request.uri().authority().map_or("", |at| at.as_str())
        );
        let sent = self.runtime.block_on(async {
            let mut request = reqwest::Request::try_from(request)?;
            let is_ending = self.is_ending.load(Ordering::Relaxed);
            *request.timeout_mut() = Some(if is_ending { LAST } else { PATIENCE });
            let mut answer = self.http.execute(request).await?;
            let mut response = Response::builder().status(answer.status());
            if let Some(headers) = response.headers_mut() {
                std::mem::swap(headers, answer.headers_mut());
            }
            Ok::<_, HttpError>(response.body(answer.bytes().await?)?)
        });
        let failure = match &sent {
            Ok(response) if response.status().is_success() => None,
            Ok(response) => Some(format!("it answers {}", response.status())),
            Err(_) => Some("it does not answer".to_owned()),
        };
        if let Some(failure) = failure.filter(|_| !self.is_told.swap(true, Ordering::Relaxed)) {
            terminal::line(&format!("note: traces cannot be sent to {place}: {failure}"));
        }
        sent
    }
}

impl HttpClient for Client {
    fn send_bytes<'life, 'wait>(
        &'life self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'wait>>
    where
        'life: 'wait,
        Self: 'wait,
    {
        // The thread that waits for this future does nothing else.
        Box::pin(async move { self.send(request) })
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Client").finish_non_exhaustive()
    }
}
