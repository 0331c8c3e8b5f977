//! The HTTP client of a session. It limits how often streams of events are opened again. rmcp does this as often as
//! the server wants.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Poll;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
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
use crate::guard::{Found, Guard, ValueCounter};
use crate::open::Checked;
use crate::options::Options;

/// Between two requests of the client, the first `STREAMS_WITHOUT_PAUSE` streams of events are opened without a pause, and
/// each further one after a `PAUSE`. After `MAX_STREAMS` streams, no more are opened.
const STREAMS_WITHOUT_PAUSE: u32 = 16;
const MAX_STREAMS: u32 = 1000;
const PAUSE: Duration = Duration::from_secs(1);

/// What a read of a stream costs that has no event in it, in bytes: a server can fill a stream with comments, which
/// this crate does not see.
const EMPTY_READ: usize = 1024;

/// An HTTP client that counts the streams that it opens, and all that it receives.
#[derive(Clone)]
pub(crate) struct Paced {
    client: reqwest::Client,
    opened: Arc<AtomicU32>,
    guard: Arc<Guard>,
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

    async fn post_message_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
        most: usize,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        if matches!(message, JsonRpcMessage::Request(_)) {
            self.opened.store(0, Ordering::Relaxed);
        }
        let posted =
            self.client.post_message_with_max_sse_event_size(uri, message, session, token, headers, most);
        Ok(match posted.await? {
            StreamableHttpPostResponse::Sse(events, session) => {
                StreamableHttpPostResponse::Sse(metered(events, &self.guard), session)
            }
            StreamableHttpPostResponse::Json(message, session) => {
                let mut sink = CountingSink { guard: &self.guard, values: ValueCounter::default() };
                serde_json::to_writer(&mut sink, &message)
                    .map_err(|error| StreamableHttpError::Io(error.into()))?;
                self.guard.admit(0, Found { messages: 1, values: 0 }).map_err(StreamableHttpError::Io)?;
                StreamableHttpPostResponse::Json(message, session)
            }
            other => other,
        })
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
        Ok(metered(opened.await?, &self.guard))
    }
}

/// Counts the events of a stream, and ends it if the server has sent too much.
fn metered(mut events: Events, guard: &Arc<Guard>) -> Events {
    let guard = Arc::clone(guard);
    let metered = stream::poll_fn(move |context| {
        let polled = events.as_mut().poll_next(context);
        let counted = match &polled {
            Poll::Ready(Some(Ok(event))) => {
                let data = event.data.as_deref().unwrap_or_default();
                let values = ValueCounter::default().count(data.as_bytes()).values;
                guard.admit(data.len(), Found { messages: 1, values })
            }
            Poll::Ready(_) => Ok(()),
            Poll::Pending => guard.admit(EMPTY_READ, Found::default()),
        };
        // The session has ended if there is an error, so nothing opens this stream again.
        if counted.is_ok() { polled } else { Poll::Ready(None) }
    });
    metered.boxed()
}

/// Counts the text of a message without keeping it.
struct CountingSink<'g> {
    guard: &'g Guard,
    values: ValueCounter,
}

impl io::Write for CountingSink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let values = self.values.count(bytes).values;
        self.guard.admit(bytes.len(), Found { messages: 0, values })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Prepares the HTTP client, and its configuration. Redirects are not followed: they would take headers to another server.
pub(crate) fn client(
    server: &Checked,
    options: &Options,
    guard: &Arc<Guard>,
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
    Ok((Paced { client, opened: Arc::default(), guard: Arc::clone(guard) }, config))
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt, stream};
    use skills_exec::{Budget, Exhausted};
    use sse_stream::Sse;

    use super::{Events, metered};
    use crate::error::Error;
    use crate::guard::Guard;
    use crate::options::Limits;

    async fn read(events: Events) -> (usize, Option<Error>) {
        let budget = Budget { bytes: 1 << 20, messages: 100, items: 1000, ..Budget::UNLIMITED };
        let guard = Guard::new(&Limits { budget, ..Limits::default() });
        let count = metered(events, &guard).count().await;
        (count, guard.fault())
    }

    // SPEC 22.2
    #[tokio::test]
    async fn an_endless_stream_of_events_ends_with_the_budget() {
        let data = |text: String| stream::repeat_with(move || Ok(Sse::default().data(text.clone()))).boxed();
        let exceeded = |limit| Some(Error::Budget(limit));
        assert_eq!(read(data("{}".to_owned())).await, (100, exceeded(Exhausted::Messages(100))));
        assert_eq!(read(data("[],".repeat(100))).await, (5, exceeded(Exhausted::Items(1000))));
        assert_eq!(read(data("x".repeat(1 << 18))).await, (4, exceeded(Exhausted::Bytes(1 << 20))));
        // Comments are not events: each read of them is a poll without an event.
        let comments = stream::poll_fn(|context| {
            context.waker().wake_by_ref();
            std::task::Poll::Pending
        });
        assert_eq!(read(comments.boxed()).await, (0, exceeded(Exhausted::Bytes(1 << 20))));
    }
}
