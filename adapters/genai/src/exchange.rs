//! Sends a request to a server and reads the response within fixed limits, for any protocol.

use futures_util::{Stream, stream};
use reqwest::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use reqwest::{Response, Url};
use serde_json::Value;
use skills_call::model::{Answer, Delta, ModelError, Request};

use crate::config::ConfigError;
use crate::events::Events;
use crate::failure::Origin;
use crate::limits::{self, TooMuch};
use crate::pause::pause;
use crate::said::{Fault, Reader, Said};
use crate::target::Target;

/// A model at a URL.
#[derive(Clone)]
pub(crate) struct Exchange {
    http: reqwest::Client,
    /// The URLs for whole answers and for streams.
    urls: [Url; 2],
    key: Option<(HeaderName, HeaderValue)>,
    target: Target,
}

impl Exchange {
    pub(crate) fn new(
        http: reqwest::Client,
        base_url: &Url,
        key: Option<&str>,
        target: Target,
    ) -> Result<Self, ConfigError> {
        let urls = [target.url(base_url, false)?, target.url(base_url, true)?];
        let key = key.map(|key| target.protocol.credentials(key)).transpose()?;
        Ok(Self { http, urls, key, target })
    }

    /// Requests a whole answer.
    pub(crate) async fn complete(&self, request: &Request, origin: &Origin) -> Result<Answer, ModelError> {
        let response = self.ask(request, false, origin).await?;
        let kind =
            response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.starts_with("application/json") {
            return Err(origin.no_json(kind));
        }
        let too_much = |error: TooMuch| origin.error(&error.to_string(), false);
        let body = read(response, limits::ANSWER, origin).await?;
        TooMuch::check_values(&body).map_err(too_much)?;
        let body: Value = serde_json::from_slice(&body)
            .map_err(|error| origin.error(&format!("the response is not valid JSON: {error}"), false))?;
        if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
            return Err(origin.event(error));
        }
        let mut said = Said::default();
        let is_answer = self.target.reader().whole(&body, &mut said).map_err(|fault| told(fault, origin))?;
        let answered = said.answer().filter(|_| is_answer);
        // Every protocol names the model that answered, but Gemini uses a different key.
        let model = ["model", "modelVersion"].into_iter().find_map(|key| body.get(key)?.as_str());
        let answered = answered.map(|answer| model.into_iter().fold(answer, Answer::with_model));
        answered.ok_or_else(|| {
            origin.error("the response is JSON but not an answer; is the base URL right?", false)
        })
    }

    /// Requests an answer in pieces, on the first poll.
    pub(crate) fn stream<'a>(
        &'a self,
        request: &'a Request,
        origin: &'a Origin,
    ) -> impl Stream<Item = Result<Delta, ModelError>> + Send + 'a {
        stream::unfold((State::Closed, Said::default()), async move |(mut state, mut said)| {
            loop {
                if let Some(delta) = said.pop() {
                    return Some((Ok(delta), (state, said)));
                }
                let failed = match state {
                    State::Done => return None,
                    State::Closed => match self.ask(request, true, origin).await {
                        Ok(response) => {
                            state = State::Open(Box::new((Events::new(response), self.target.reader())));
                            continue;
                        }
                        Err(error) => error,
                    },
                    State::Open(mut open) => match open.0.next(origin).await {
                        Ok(data) => match take(&data, &mut *open.1, &mut said, origin) {
                            Ok(is_end) => {
                                state = if is_end { State::Done } else { State::Open(open) };
                                continue;
                            }
                            Err(error) => error,
                        },
                        Err(error) => error,
                    },
                };
                // Partial answers are discarded.
                return Some((Err(failed), (State::Done, Said::default())));
            }
        })
    }

    async fn ask(&self, request: &Request, is_stream: bool, origin: &Origin) -> Result<Response, ModelError> {
        let payload = self.target.payload(request, is_stream).to_string();
        let [whole, streamed] = &self.urls;
        let url = if is_stream { streamed } else { whole };
        let mut asking = self.http.post(url.clone()).header(CONTENT_TYPE, "application/json").body(payload);
        for (name, value) in self.target.protocol.headers() {
            asking = asking.header(*name, *value);
        }
        if let Some((name, value)) = &self.key {
            asking = asking.header(name.clone(), value.clone());
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
    Open(Box<(Events, Box<dyn Reader>)>),
    Done,
}

/// Reads the data of an event. Returns `true` if it is the last.
fn take(data: &str, reader: &mut dyn Reader, said: &mut Said, origin: &Origin) -> Result<bool, ModelError> {
    if data.trim() == "[DONE]" {
        return Ok(reader.done(said));
    }
    TooMuch::check_values(data.as_bytes()).map_err(|error| origin.error(&error.to_string(), false))?;
    let event: Value = serde_json::from_str(data)
        .map_err(|error| origin.error(&format!("an event of the stream is not JSON: {error}"), false))?;
    if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
        return Err(origin.event(error));
    }
    reader.take(&event, said).map_err(|fault| told(fault, origin))
}

fn told(fault: Fault, origin: &Origin) -> ModelError {
    match fault {
        Fault::Torn => origin.error("the pieces of a tool's arguments do not fit together", false),
        Fault::TooMuch(fault) => origin.error(&fault.to_string(), false),
        Fault::Reported(error) => origin.event(&error),
    }
}

/// Reads a body of at most `most` bytes.
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

/// Reads the beginning of a body, up to the limit for error messages.
async fn head(mut response: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        body.extend_from_slice(&chunk);
        if body.len() > limits::FAILURE {
            body.truncate(limits::FAILURE);
            break;
        }
        pause().await;
    }
    body
}
