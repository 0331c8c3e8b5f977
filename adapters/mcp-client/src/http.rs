//! The HTTP client of a session. rmcp has one as well, but it does not show how many bytes arrive, and opens streams of
//! events again as often as the server wants.

use std::borrow::Cow;
use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::ready;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use reqwest::header::{
    ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use reqwest::{RequestBuilder, Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorData, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::common::http_header::{HEADER_LAST_EVENT_ID, HEADER_SESSION_ID};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, InsufficientScopeError, SseError, StreamableHttpClient,
    StreamableHttpClientTransportConfig, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};
use tokio::time::sleep;

use crate::address::ServerAddress;
use crate::error::Error;
use crate::guard::{Guard, JsonCounts, ValueCounter};
use crate::open::CheckedAddress;
use crate::options::Options;

/// Between two requests of the client, the first `STREAMS_WITHOUT_PAUSE` streams of events are opened without a pause, and
/// each further one after a `PAUSE`. After `MAX_STREAMS` streams, no more are opened.
const STREAMS_WITHOUT_PAUSE: u32 = 16;
const MAX_STREAMS: u32 = 1000;
const PAUSE: Duration = Duration::from_secs(1);

/// How much of the body of an error is kept, in bytes. An error of JSON-RPC may be as long as any message.
const MAX_ERROR: usize = 64 << 10;

const EVENTS: &str = "text/event-stream";
const JSON: &str = "application/json";

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

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        if matches!(message, JsonRpcMessage::Request(_)) {
            self.opened.store(0, Ordering::Relaxed);
        }
        let request = self.client.post(uri.as_ref()).json(&message);
        let response = send(request, session.as_deref(), token, headers).await?;
        let status = response.status();
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if status == StatusCode::NOT_FOUND && session.is_some() {
            return Err(StreamableHttpError::SessionExpired);
        }
        if !status.is_success() {
            return self.failed(response, &message, session.is_some()).await;
        }
        let session = response.headers().get(HEADER_SESSION_ID).and_then(|id| id.to_str().ok());
        let session = session.map(str::to_owned);
        let asks = matches!(message, JsonRpcMessage::Request(_));
        match media_type(response.headers()).as_deref() {
            Some(EVENTS) => Ok(StreamableHttpPostResponse::Sse(events(response, &self.guard), session)),
            Some(JSON) => {
                let body = self.body(response, usize::MAX).await?;
                match serde_json::from_slice(&body) {
                    Ok(message) => Ok(StreamableHttpPostResponse::Json(message, session)),
                    Err(_) if !asks => Ok(StreamableHttpPostResponse::Accepted),
                    Err(error) => Err(unexpected(format!("it is not a message of MCP: {error}"))),
                }
            }
            // Some servers answer a notification with a page, or with nothing.
            _ if !asks => Ok(StreamableHttpPostResponse::Accepted),
            other => Err(StreamableHttpError::UnexpectedContentType(other.map(str::to_owned))),
        }
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

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<Events, Failure> {
        match self.opened.fetch_add(1, Ordering::Relaxed) {
            ..STREAMS_WITHOUT_PAUSE => {}
            STREAMS_WITHOUT_PAUSE..MAX_STREAMS => sleep(PAUSE).await,
            // rmcp does not open a stream again after this error.
            _ => return Err(StreamableHttpError::ServerDoesNotSupportSse),
        }
        let mut request = self.client.get(uri.as_ref());
        if let Some(last_event) = last_event {
            request = request.header(HEADER_LAST_EVENT_ID, last_event);
        }
        let response = send(request, session.as_deref(), token, headers).await?;
        if response.status() == StatusCode::METHOD_NOT_ALLOWED {
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        }
        if let Some(error) = status_error(&response) {
            return Err(error);
        }
        let response = response.error_for_status()?;
        match media_type(response.headers()).as_deref() {
            Some(EVENTS) => Ok(events(response, &self.guard)),
            other => Err(StreamableHttpError::UnexpectedContentType(other.map(str::to_owned))),
        }
    }
}

impl Paced {
    /// Reads the body of a response, at most `most` bytes of it.
    async fn body(&self, response: Response, most: usize) -> Result<Vec<u8>, Failure> {
        let (mut stream, mut body) = (response.bytes_stream(), Vec::new());
        let mut values = ValueCounter::default();
        self.guard.admit(0, JsonCounts { messages: 1, values: 0 })?;
        while body.len() < most
            && let Some(part) = stream.try_next().await?
        {
            self.guard.admit_read(part.len(), JsonCounts { messages: 0, ..values.count(&part) })?;
            body.extend_from_slice(&part);
            self.guard.check_length(body.len())?;
        }
        body.truncate(most);
        Ok(body)
    }

    /// Returns the error of JSON-RPC in a response with an error status, or the status as an error.
    async fn failed(
        &self,
        response: Response,
        message: &ClientJsonRpcMessage,
        has_session: bool,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let status = response.status();
        let status_error = status_error(&response);
        let is_refused = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        let is_json = media_type(response.headers()).as_deref() == Some(JSON) && !is_refused;
        match status_error {
            Some(error) if !is_json || status == StatusCode::TOO_MANY_REQUESTS => return Err(error),
            _ => {}
        }
        let most = if is_json { usize::MAX } else { MAX_ERROR };
        let body = self.body(response, most).await?;
        let error = match serde_json::from_slice::<ServerJsonRpcMessage>(&body) {
            Ok(JsonRpcMessage::Error(error)) => Some(error),
            _ => None,
        };
        let text = String::from_utf8_lossy(body.get(..MAX_ERROR).unwrap_or(&body)).into_owned();
        // A server of an older revision does not know this method. rmcp then begins the session in the older way.
        if let JsonRpcMessage::Request(request) = message
            && let ClientRequest::DiscoverRequest(_) = request.request
            && status.is_client_error()
            && !is_refused
            && !has_session
        {
            let reason = format!("server/discover rejected with HTTP {status}: {text}");
            let error = error.map_or_else(|| ErrorData::invalid_request(reason, None), |error| error.error);
            let answer = ServerJsonRpcMessage::error(error, Some(request.id.clone()));
            return Ok(StreamableHttpPostResponse::Json(answer, None));
        }
        match (error.filter(|_| is_json), status_error) {
            (Some(error), _) => Ok(StreamableHttpPostResponse::Json(JsonRpcMessage::Error(error), None)),
            (None, Some(error)) => Err(error),
            (None, None) => Err(unexpected(format!("HTTP {status}: {text}"))),
        }
    }
}

/// Sends a request. A server that asks for a login is an error.
async fn send(
    mut request: RequestBuilder,
    session: Option<&str>,
    token: Option<String>,
    headers: Headers,
) -> Result<Response, Failure> {
    request = request.headers(headers.into_iter().collect()).header(ACCEPT, format!("{EVENTS}, {JSON}"));
    if let Some(session) = session {
        request = request.header(HEADER_SESSION_ID, session);
    }
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    let response = request.send().await?;
    let challenge = response.headers().get(WWW_AUTHENTICATE).map(HeaderValue::to_str);
    let Some(challenge) = challenge else { return Ok(response) };
    let challenge = challenge
        .map(str::to_owned)
        .map_err(|_| unexpected("its header WWW-Authenticate is not valid".to_owned()));
    match response.status() {
        StatusCode::UNAUTHORIZED => {
            let error = AuthRequiredError::new(challenge?);
            Err(StreamableHttpError::AuthRequired(error))
        }
        StatusCode::FORBIDDEN => {
            let error = InsufficientScopeError::new(challenge?, None);
            Err(StreamableHttpError::InsufficientScope(error))
        }
        _ => Ok(response),
    }
}

fn unexpected(text: String) -> Failure {
    StreamableHttpError::UnexpectedServerResponse(Cow::Owned(text))
}

/// Returns the error for a server that fails or is busy.
fn status_error(response: &Response) -> Option<Failure> {
    let status = response.status();
    if status != StatusCode::TOO_MANY_REQUESTS && !status.is_server_error() {
        return None;
    }
    let retry = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    Some(HttpStatusError::new(status.as_u16(), retry.map(str::to_owned)).into())
}

/// Returns the media type of a response in lower case, without parameters.
fn media_type(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let essence = text.split(';').next().unwrap_or_default();
    Some(essence.trim_matches([' ', '\t']).to_ascii_lowercase())
}

/// Parses the events of a response. Counts each byte of its body, also of comments, and each event. The stream ends if the
/// server has sent too much; the session has ended then, so nothing opens the stream again.
fn events(response: Response, guard: &Arc<Guard>) -> Events {
    // The bytes since the last event.
    let unfinished = Arc::new(AtomicUsize::new(0));
    let (since, counter) = (Arc::clone(&unfinished), Arc::clone(guard));
    let body = response.bytes_stream().take_while(move |part| {
        let size = part.as_ref().map_or(0, |part| part.len());
        let length = since.fetch_add(size, Ordering::Relaxed).saturating_add(size);
        let counted =
            counter.admit_read(size, JsonCounts::default()).and_then(|()| counter.check_length(length));
        ready(counted.is_ok())
    });
    let guard = Arc::clone(guard);
    let events = SseStream::from_bytes_stream(body).take_while(move |event| {
        unfinished.store(0, Ordering::Relaxed);
        let data = event.as_ref().ok().and_then(|event| event.data.as_deref()).unwrap_or_default();
        let values = ValueCounter::default().count(data.as_bytes()).values;
        ready(guard.admit(0, JsonCounts { messages: 1, values }).is_ok())
    });
    events.boxed()
}

/// Prepares the HTTP client, and its configuration. Redirects are not followed: they would take headers to another server.
pub(crate) fn client(
    server: &CheckedAddress,
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
        // The client sets these itself.
        let reserved = [ACCEPT.as_str(), HEADER_SESSION_ID, HEADER_LAST_EVENT_ID];
        if reserved.iter().any(|reserved| reserved.eq_ignore_ascii_case(name.as_str())) {
            return Err(invalid());
        }
        let mut value = HeaderValue::from_str(&value(variable)?).map_err(|_| invalid())?;
        value.set_sensitive(true);
        custom.insert(name, value);
    }
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
        .custom_headers(custom)
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
