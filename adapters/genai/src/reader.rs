//! Reads the stream of an answer in a separate task.

use std::future::poll_fn;
use std::task::Poll;
use std::time::{Duration, Instant};

use futures_util::{Stream, StreamExt};
use genai::chat::{ChatStream, ChatStreamEvent};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::JoinSet;

use crate::answer::MAX_READING;

/// The reason why there is no next event.
#[derive(Debug)]
pub(crate) enum ReadFault {
    Genai(genai::Error),
    /// Reading took more than [`MAX_READING`].
    TooMuch,
}

/// The events of an answer. While bytes arrive, genai reads an event without yielding. If genai ran in the caller's
/// task, an endless event would keep the caller from checking its time limit. Here the caller waits for another
/// task, which works on a runtime with several threads.
pub(crate) struct Reader {
    events: Receiver<Result<ChatStreamEvent, ReadFault>>,
    /// Dropping it ends the task.
    _task: JoinSet<()>,
}

impl Reader {
    /// Starts reading. The task is at most one event ahead of the caller.
    pub(crate) fn start(stream: ChatStream) -> Self {
        Self::with_limit(stream, MAX_READING)
    }

    fn with_limit(
        mut stream: impl Stream<Item = genai::Result<ChatStreamEvent>> + Send + Unpin + 'static,
        most: Duration,
    ) -> Self {
        let (sender, events) = channel(1);
        let mut task = JoinSet::new();
        task.spawn(async move {
            let mut spent = Duration::ZERO;
            loop {
                let polled = poll_fn(|context| {
                    let start = Instant::now();
                    let polled = stream.poll_next_unpin(context);
                    spent += start.elapsed();
                    if spent > most {
                        Poll::Ready(Some(Err(ReadFault::TooMuch)))
                    } else {
                        polled.map_err(ReadFault::Genai)
                    }
                });
                let Some(event) = polled.await else { return };
                let is_last = matches!(event, Err(ReadFault::TooMuch));
                if sender.send(event).await.is_err() || is_last {
                    return;
                }
            }
        });
        Self { events, _task: task }
    }

    /// Returns the next event, or `None` at the end of the answer.
    pub(crate) async fn next(&mut self) -> Option<Result<ChatStreamEvent, ReadFault>> {
        self.events.recv().await
    }
}

#[cfg(test)]
mod tests {
    use std::task::Poll;
    use std::time::Duration;

    use futures_util::stream;

    use super::{ReadFault, Reader};

    // SPEC 12.13: an event that never ends is not read for ever, although it arrives without a pause
    #[tokio::test]
    async fn an_endless_event_ends_with_the_limit() {
        let endless = stream::poll_fn(|context| {
            context.waker().wake_by_ref();
            Poll::Pending
        });
        let mut reader = Reader::with_limit(endless, Duration::from_micros(1));
        assert!(matches!(reader.next().await, Some(Err(ReadFault::TooMuch))));
        assert!(reader.next().await.is_none());
    }
}
