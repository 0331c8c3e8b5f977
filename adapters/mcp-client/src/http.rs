//! The HTTP client of a session. It limits how often streams of events are opened again. rmcp does this as often as
//! the server wants.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::stream::BoxStream;
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpClientTransportConfig, StreamableHttpError,
    StreamableHttpPostResponse,
};
use sse_stream::Sse;
use tokio::time::sleep;

use crate::address::ServerAddress;
use crate::error::Error;
use crate::open::Checked;
use crate::options::Options;

/// Between two requests of the client, the first `STREAMS_WITHOUT_PAUSE` streams of events are opened without a pause, and
/// each further one after a `PAUSE`. After `MAX_STREAMS` streams, no more are opened.
const STREAMS_WITHOUT_PAUSE: u32 = 16;
const MAX_STREAMS: u32 = 1000;
const PAUSE: Duration = Duration::from_secs(1);

/// An HTTP client that counts the streams that it opens.
#[derive(Clone)]
pub(crate) struct Paced {
    client: reqwest::Client,
    opened: Arc<AtomicU32>,
}

type Failure = StreamableHttpError<reqwest::Error>;
type Headers = HashMap<HeaderName, HeaderValue>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

impl StreamableHttpClient for Paced {
    type Error = reqwest::Error;

    fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> impl Future<Output = Result<StreamableHttpPostResponse, Failure>> + Send + '_ {
        self.client.post_message(uri, message, session, token, headers)
    }

    fn post_message_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
        most: usize,
    ) -> impl Future<Output = Result<StreamableHttpPostResponse, Failure>> + Send + '_ {
        if matches!(message, JsonRpcMessage::Request(_)) {
            self.opened.store(0, Ordering::Relaxed);
        }
        self.client.post_message_with_max_sse_event_size(uri, message, session, token, headers, most)
    }

    fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: Headers,
    ) -> impl Future<Output = Result<(), Failure>> + Send + '_ {
        self.client.delete_session(uri, session, token, headers)
    }

    fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> impl Future<Output = Result<Events, Failure>> + Send + '_ {
        self.client.get_stream(uri, session, last_event, token, headers)
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
        most: usize,
    ) -> Result<Events, Failure> {
        match self.opened.fetch_add(1, Ordering::Relaxed) {
            ..STREAMS_WITHOUT_PAUSE => {}
            STREAMS_WITHOUT_PAUSE..MAX_STREAMS => sleep(PAUSE).await,
            // rmcp does not open a stream again after this error.
            _ => return Err(StreamableHttpError::ServerDoesNotSupportSse),
        }
        let opened =
            self.client.get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, most);
        opened.await
    }
}

/// Prepares the HTTP client, and its configuration. Redirects are not followed: they would take headers to another server.
pub(crate) fn client(
    server: &Checked,
    options: &Options,
) -> Result<(Paced, StreamableHttpClientTransportConfig), Error> {
    let url = server.address().url()?.ok_or_else(|| Error::Address("it is not a URL".to_owned()))?;
    let ServerAddress::Http { token, headers, .. } = server.address() else {
        return Err(Error::Address("it is not a URL".to_owned()));
    };
    let value = |variable: &String| {
        std::env::var(variable)
            .map_err(|_| Error::Address(format!("the environment variable {variable} is not set")))
    };
    let mut custom = HashMap::new();
    for (name, variable) in headers {
        let invalid = || Error::Address(format!("the header {name} from {variable} is invalid"));
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid())?;
        let mut value = HeaderValue::from_str(&value(variable)?).map_err(|_| invalid())?;
        value.set_sensitive(true);
        custom.insert(name, value);
    }
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
        .custom_headers(custom)
        .max_sse_event_size(options.limits.message)
        // Otherwise rmcp would send a request again in a new session, without reporting this.
        .reinit_on_expired_session(false);
    if let Some(variable) = token {
        config = config.auth_header(value(variable)?);
    }
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(options.limits.connect)
        .build()
        .map_err(|error| Error::Unreachable(error.to_string()))?;
    Ok((Paced { client, opened: Arc::default() }, config))
}
