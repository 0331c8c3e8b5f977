//! Whether the client of a session is connected, so that calls of disconnected clients can be ended.

use std::time::Duration;

use tokio::sync::watch;

/// A session, with the number of its open connections, and the number of those on which the client
/// listens for notifications.
#[derive(Default)]
pub(crate) struct SessionConnections {
    pub(super) open: watch::Sender<usize>,
    pub(super) listening: watch::Sender<usize>,
}

impl SessionConnections {
    /// Waits until the session has had no connection for this long.
    pub(crate) async fn gone(&self, reconnect_time: Duration) {
        let mut open = self.open.subscribe();
        loop {
            // `self` holds the sender, so this cannot fail.
            drop(open.wait_for(|count| *count == 0).await.map(drop));
            if tokio::time::timeout(reconnect_time, open.wait_for(|count| *count > 0)).await.is_err() {
                return;
            }
        }
    }

    /// Waits until the client listens.
    pub(crate) async fn listens(&self) {
        // `self` holds the sender, so this cannot fail.
        drop(self.listening.subscribe().wait_for(|count| *count > 0).await.map(drop));
    }
}
