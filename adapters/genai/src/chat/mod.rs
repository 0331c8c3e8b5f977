//! Chat completions, the protocol of OpenAI and of everything that speaks like it, straight over HTTP.
//!
//! Any server may be at a base URL, and genai takes whatever one sends: it makes room for the index that a call is
//! given, and copies a line once for each of its pieces. So what comes is read here, within the limits of SPEC 7.7.

mod events;
mod payload;
mod pieces;
mod whole;

use std::collections::VecDeque;

use futures_util::{Stream, stream};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Response, Url};
use serde_json::Value;
use skills_runtime::model::{Answer, Delta, ModelError, Request};

pub(crate) use self::whole::answer;
use crate::failure::Origin;
use crate::limits::{self, TooMuch};
use crate::provider::ConfigError;
use events::Events;
use pieces::Pieces;

/// A model behind an address.
pub(crate) struct Chat {
    http: reqwest::Client,
    url: Url,
    key: Option<HeaderValue>,
    model: String,
}

const OPENAI: &str = "https://api.openai.com/v1/";

impl Chat {
    /// Names a model below a base URL, which is OpenAI's own unless told.
    pub(crate) fn new(
        http: reqwest::Client,
        base_url: Option<&Url>,
        key: Option<&str>,
        model: &str,
    ) -> Result<Self, ConfigError> {
        let wrong = |error: &dyn std::fmt::Display| ConfigError::new(format!("base URL: {error}"));
        let base_url = base_url.map_or_else(|| Url::parse(OPENAI), |url| Ok(url.clone()));
        let base_url = base_url.map_err(|error| wrong(&error))?;
        let mut url = base_url.join("chat/completions").map_err(|error| wrong(&error))?;
        url.set_query(base_url.query());
        let key = key.map(|key| HeaderValue::from_str(&format!("Bearer {key}"))).transpose();
        let mut key =
            key.map_err(|_| ConfigError::new("the key holds characters that no header can carry"))?;
        if let Some(key) = &mut key {
            key.set_sensitive(true);
        }
        let model = model.split_once("::").map_or(model, |(_, bare)| bare).to_owned();
        Ok(Self { http, url, key, model })
    }

    /// Asks for a whole answer.
    pub(crate) async fn complete(&self, request: &Request, origin: &Origin) -> Result<Answer, ModelError> {
        let response = self.ask(request, false, origin).await?;
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.starts_with("application/json") {
            return Err(origin.no_json(kind));
        }
        let body = read(response, limits::ANSWER, origin).await?;
        let body: Value = serde_json::from_slice(&body)
            .map_err(|error| origin.error(&format!("the response is no valid JSON: {error}"), false))?;
        if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
            return Err(origin.event(error));
        }
        let answered = answer(&body).map_err(|error| origin.error(&error.to_string(), false))?;
        // Any JSON would make an empty answer.
        answered
            .ok_or_else(|| origin.error("the response is JSON but no answer; is the base URL right?", false))
    }

    /// Asks for an answer in pieces, with the first poll.
    pub(crate) fn stream<'a>(
        &'a self,
        request: &'a Request,
        origin: &'a Origin,
    ) -> impl Stream<Item = Result<Delta, ModelError>> + Send + 'a {
        stream::unfold((State::Closed, VecDeque::new()), async move |(mut state, mut ready)| {
            loop {
                if let Some(delta) = ready.pop_front() {
                    return Some((Ok(delta), (state, ready)));
                }
                let failed = match state {
                    State::Done => return None,
                    State::Closed => match self.ask(request, true, origin).await {
                        Ok(response) => {
                            state = State::Open(Box::new((Events::new(response), Pieces::default())));
                            continue;
                        }
                        Err(error) => error,
                    },
                    State::Open(mut open) => match open.0.next(origin).await {
                        Ok(data) => match open.1.take(&data, &mut ready, origin) {
                            Ok(is_end) => {
                                state = if is_end { State::Done } else { State::Open(open) };
                                continue;
                            }
                            Err(error) => error,
                        },
                        Err(error) => error,
                    },
                };
                // An answer with a hole in it is none.
                return Some((Err(failed), (State::Done, ready)));
            }
        })
    }

    async fn ask(&self, request: &Request, is_stream: bool, origin: &Origin) -> Result<Response, ModelError> {
        let payload = payload::payload(&self.model, request, is_stream).to_string();
        let mut asking =
            self.http.post(self.url.clone()).header(CONTENT_TYPE, "application/json").body(payload);
        if let Some(key) = &self.key {
            asking = asking.header(AUTHORIZATION, key.clone());
        }
        let response = asking.send().await.map_err(|error| origin.transport(error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let headers = response.headers().clone();
        let body = head(response).await;
        Err(origin.status(status, Some(&headers), &String::from_utf8_lossy(&body)))
    }
}

enum State {
    Closed,
    Open(Box<(Events, Pieces)>),
    Done,
}

/// Reads a body that must not be larger than `most`.
async fn read(mut response: Response, most: usize, origin: &Origin) -> Result<Vec<u8>, ModelError> {
    let too_much = |error: TooMuch| origin.error(&error.to_string(), false);
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| origin.transport(error))? {
        TooMuch::check("the bytes of a response", body.len() + chunk.len(), most).map_err(too_much)?;
        body.extend_from_slice(&chunk);
        pause().await;
    }
    Ok(body)
}

/// Reads the beginning of a body, as much as comes.
async fn head(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() > limits::FAILURE {
            body.truncate(limits::FAILURE);
            break;
        }
    }
    body
}

/// Lets others run, and time limits with them, however fast a server sends.
async fn pause() {
    let mut has_waited = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut has_waited, true) {
            return std::task::Poll::Ready(());
        }
        context.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
}
