//! Reads the stream of an answer in a separate task.

use futures_util::StreamExt;
use genai::chat::{ChatStream, ChatStreamEvent};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::JoinSet;

/// The events of an answer. While bytes arrive, genai reads an event without yielding. If genai ran in the caller's
/// task, an endless event would keep the caller from checking its time limit. Here the caller waits for another
/// task, which works on a runtime with several threads.
pub(crate) struct Reader {
    events: Receiver<genai::Result<ChatStreamEvent>>,
    /// Dropping it ends the task.
    _task: JoinSet<()>,
}

impl Reader {
    /// Starts reading. The task is at most one event ahead of the caller.
    pub(crate) fn start(mut stream: ChatStream) -> Self {
        let (sender, events) = channel(1);
        let mut task = JoinSet::new();
        task.spawn(async move {
            while let Some(event) = stream.next().await {
                if sender.send(event).await.is_err() {
                    return;
                }
            }
        });
        Self { events, _task: task }
    }

    /// Returns the next event, or `None` at the end of the answer.
    pub(crate) async fn next(&mut self) -> Option<genai::Result<ChatStreamEvent>> {
        self.events.recv().await
    }
}
