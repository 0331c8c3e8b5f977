//! Sends notifications of changes: at once to clients that started with `initialize`, otherwise to clients
//! that listen.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use rmcp::model::{ErrorData, SubscriptionFilter};
use rmcp::service::{SubscriptionContext, SubscriptionSendError};
use rmcp::{Peer, RoleServer};
use tokio::sync::watch;

use super::lists::KnownLists;
use super::{ClientState, SessionConnections};
use crate::offer::resource;
use crate::server::Server;
use crate::shared::Shared;

/// The maximum number of subscriptions of a client.
const SUBSCRIPTIONS: usize = 1_000;

impl Server {
    /// Returns a server for another client.
    pub(crate) fn session(&self) -> Self {
        Self { session: Arc::default(), ..self.clone() }
    }

    /// Records that a client starts.
    pub(crate) async fn begin(&self) -> Result<(), ErrorData> {
        if self.session.has_begun.swap(true, Ordering::Relaxed) {
            return Err(ErrorData::invalid_request("the session has begun already", None));
        }
        if self.shared.reporting.is_some() {
            let lists = self.shared.lists().await;
            self.session.known().see(lists);
        }
        Ok(())
    }

    /// Starts sending notifications to the client until its session ends. Over HTTP, `place` is set, and
    /// notifications are sent only while the client listens: pending notifications would keep the session
    /// alive.
    pub(crate) fn notify(&self, peer: Peer<RoleServer>, place: Option<Arc<SessionConnections>>) {
        let Some(reporting) = &self.shared.reporting else { return };
        if self.session.is_notified.swap(true, Ordering::Relaxed) {
            return;
        }
        let count = reporting.notifier.count.subscribe();
        tokio::spawn(notify(
            Arc::clone(&self.shared),
            Arc::downgrade(&self.session),
            self.session.life.subscribe(),
            count,
            (peer, place),
        ));
    }

    /// Answers `resources/subscribe`.
    pub(crate) fn follow(&self, uri: &str) -> Result<(), ErrorData> {
        let runner = self.shared.runner()?;
        if resource::digest(&runner, uri).is_none() {
            return Err(ErrorData::resource_not_found(format!("unknown resource: {uri}"), None));
        }
        if self.session.known().follow(&runner, uri, SUBSCRIPTIONS) {
            Ok(())
        } else {
            Err(ErrorData::invalid_request(format!("there are {SUBSCRIPTIONS} subscriptions"), None))
        }
    }

    /// Answers `resources/unsubscribe`.
    pub(crate) fn unfollow(&self, uri: &str) {
        self.session.known().unfollow(uri);
    }

    /// Returns the notifications that a client may listen for, or `None` if changes are not reported.
    pub(crate) fn accepted(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        self.shared.reporting.as_ref()?;
        let mut accepted = requested.clone();
        if let Some(uris) = &mut accepted.resource_subscriptions {
            let runner = self.shared.runner().ok();
            uris.retain(|uri| runner.as_ref().is_some_and(|runner| resource::digest(runner, uri).is_some()));
            uris.truncate(SUBSCRIPTIONS);
        }
        Some(accepted)
    }

    /// Sends the requested notifications to a listening client until it disconnects (protocol 2026-07-28).
    pub(crate) async fn notify_listener(&self, listener: &SubscriptionContext) -> Result<(), ErrorData> {
        let Some(reporting) = &self.shared.reporting else { return Ok(()) };
        let mut count = reporting.notifier.count.subscribe();
        let mut known = KnownLists::default();
        known.see(self.shared.lists().await);
        let runner = self.shared.runner()?;
        for uri in listener.accepted().resource_subscriptions.iter().flatten() {
            known.follow(&runner, uri, SUBSCRIPTIONS);
        }
        drop(runner);
        let gone = self.gone(listener.request_context());
        tokio::pin!(gone);
        loop {
            tokio::select! {
                () = listener.cancelled() => return Ok(()),
                () = &mut gone => return Ok(()),
                () = self.shared.end.signal() => return Ok(()),
                changed = count.changed() => if changed.is_err() { return Ok(()) },
            }
            let Some((lists, runner)) = self.shared.lists().await.zip(self.shared.runner().ok()) else {
                continue;
            };
            for notification in known.news(lists, &runner) {
                match listener.sink().send(notification).await {
                    // Notifications that the client did not request are not sent.
                    Ok(()) | Err(SubscriptionSendError::NotificationNotAccepted(_)) => {}
                    Err(_) => return Ok(()),
                }
            }
        }
    }
}

async fn notify(
    shared: Arc<Shared>,
    session: Weak<ClientState>,
    mut life: watch::Receiver<()>,
    mut count: watch::Receiver<u64>,
    (peer, place): (Peer<RoleServer>, Option<Arc<SessionConnections>>),
) {
    loop {
        if let Some(place) = &place {
            tokio::select! {
                _ = life.changed() => return,
                () = place.listens() => {}
            }
        }
        count.mark_unchanged();
        // The first time, this covers all changes since the client started.
        let news = match shared.lists().await.zip(shared.runner().ok()) {
            None => Vec::new(),
            Some((lists, runner)) => {
                let Some(session) = session.upgrade() else { return };
                session.known().news(lists, &runner)
            }
        };
        for notification in news {
            if peer.send_notification(notification).await.is_err() {
                return;
            }
        }
        tokio::select! {
            _ = life.changed() => return,
            changed = count.changed() => if changed.is_err() { return },
        }
    }
}
