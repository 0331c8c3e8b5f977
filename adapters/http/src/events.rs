//! Reports a call as server-sent events: its steps while it runs, then its result.

use std::sync::Arc;

use axum::response::Response;
use futures_util::{StreamExt, stream};
use serde_json::Value;
use skills_call::BoxFuture;
use tokio::sync::watch::{Receiver, Sender};

use skills_serve::answer::{Problem, event_stream};

/// Responds with the events of a call, whose observer sends the steps. A slow client misses some states,
/// but always gets the newest one.
pub(crate) async fn events(
    work: BoxFuture<'static, Result<String, Problem>>,
    steps: Arc<Sender<Value>>,
) -> Result<Response, Problem> {
    let state = StreamState { work, receiver: steps.subscribe(), _open: steps, ended: None };
    let mut items = Box::pin(stream::unfold(Some(state), |state| async { state?.next().await }));
    let first = match items.next().await {
        Some(StreamItem::Ended(Err(problem))) => return Err(problem),
        first => first,
    };
    Ok(event_stream(stream::iter(first).chain(items).map(StreamItem::frame)))
}

/// A call that runs as part of the response stream, so it is dropped when the client disconnects.
struct StreamState {
    work: BoxFuture<'static, Result<String, Problem>>,
    receiver: Receiver<Value>,
    /// Keeps the channel open: on a closed channel, an unread last value cannot be detected.
    _open: Arc<Sender<Value>>,
    ended: Option<Result<String, Problem>>,
}

enum StreamItem {
    Steps(Value),
    Ended(Result<String, Problem>),
}

impl StreamState {
    /// Continues until there is an event. Returns `None` after the end.
    async fn next(mut self) -> Option<(StreamItem, Option<Self>)> {
        if let Some(ended) = self.ended.take() {
            return Some((StreamItem::Ended(ended), None));
        }
        tokio::select! {
            biased;
            ended = &mut self.work => {
                if !self.receiver.has_changed().unwrap_or(false) {
                    return Some((StreamItem::Ended(ended), None));
                }
                self.ended = Some(ended);
            }
            _ = self.receiver.changed() => {}
        }
        let steps = self.receiver.borrow_and_update().clone();
        Some((StreamItem::Steps(steps), Some(self)))
    }
}

impl StreamItem {
    fn frame(self) -> String {
        let (event, data) = match self {
            Self::Steps(steps) => ("steps", steps.to_string()),
            Self::Ended(Ok(output)) => ("output", output),
            Self::Ended(Err(problem)) => ("problem", problem.into_json().to_string()),
        };
        format!("event: {event}\ndata: {data}\n\n")
    }
}
