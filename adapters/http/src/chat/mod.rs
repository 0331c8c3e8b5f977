//! The route for a chat that calls skills, in the protocol of the AI SDK: `UIMessage[]` in, a UI message
//! stream out.
//!
//! ```text
//! history: UIMessage[] -> History    turn: model <-> tools, step by step -> StreamPart…    frame: StreamPart -> text
//! ```

mod frame;
mod history;
mod step;
mod tools;
mod turn;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use futures_util::{FutureExt, StreamExt, stream};
use serde_json::Value;
use tokio::sync::mpsc;
use tracing::Instrument;

use crate::shared::Shared;
use crate::trace;
use frame::{DONE, StreamPart};
use skills_serve::answer::{Problem, event_stream};
use skills_serve::body;
use turn::Turn;

/// The memory of a message beside its texts, in bytes.
const MESSAGE: usize = 512;

/// `POST /api/ai/chat`: answers the last message of a chat. All work ends when the client disconnects.
pub(crate) async fn chat(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let runner = shared.runner()?;
    let model = runner
        .server_access()
        .language_model()
        .ok_or_else(|| Problem::bare(StatusCode::SERVICE_UNAVAILABLE, "no_model"))?;
    let (read, share) = body::object(body, &shared.body, |members| {
        let history = members.get("messages").and_then(history::read).ok_or_else(|| {
            let text = "`messages` is not an array of UI messages";
            Problem::new(StatusCode::BAD_REQUEST, "invalid_messages", text)
        })?;
        Ok((history, members.get("askFirst").and_then(Value::as_bool).unwrap_or_default()))
    })
    .await?;
    let (history, asks_first) = read;
    if !share.grow(history.messages.len() * MESSAGE) {
        return Err(Problem::busy());
    }
    let (frames, mut received) = mpsc::channel::<StreamPart>(16);
    let client = trace::client(&headers);
    let span = trace::open(&runner, "/api/ai/chat", client.as_ref());
    // Errors of the turn are reported in the stream.
    trace::end(&span, StatusCode::OK);
    let turn = Turn::new(&shared, runner.clone(), model, (history, share), client, frames);
    let turn = if asks_first { turn.asking_first() } else { turn };
    // The work is part of the response stream, so it is dropped when the client disconnects.
    let work = turn.run().instrument(span).into_stream().filter_map(|()| async { None::<String> });
    let parts = stream::poll_fn(move |context| received.poll_recv(context)).map(StreamPart::text);
    let texts = stream::select(parts, work).chain(stream::iter([DONE.to_owned()]));
    let mut response = event_stream(texts);
    let version = HeaderName::from_static("x-vercel-ai-ui-message-stream");
    response.headers_mut().insert(version, HeaderValue::from_static("v1"));
    Ok(response)
}
