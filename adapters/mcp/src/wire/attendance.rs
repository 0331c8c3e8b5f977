//! Tracks over HTTP which sessions have a connected client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::StreamExt;
use rmcp::model::Extensions;

use crate::changes::SessionConnections;

/// The header with the session id.
pub(crate) const SESSION: &str = "mcp-session-id";

/// The sessions that have an open connection or an active call. Clones share their state.
#[derive(Clone, Default)]
pub(crate) struct Presence {
    sessions: Arc<Mutex<HashMap<String, Weak<SessionConnections>>>>,
}

impl Presence {
    /// Finds the session of a request. Sessions only exist over HTTP, and in older versions of the protocol.
    pub(crate) fn session(&self, extensions: &Extensions) -> Option<Arc<SessionConnections>> {
        Some(self.named(id(&extensions.get::<Parts>()?.headers)?))
    }

    /// Returns `true` if the client of a session has a connection open.
    pub(crate) fn is_open(&self, id: &str) -> bool {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.get(id).and_then(Weak::upgrade).is_some_and(|session| *session.open.borrow() > 0)
    }

    fn named(&self, id: &str) -> Arc<SessionConnections> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = sessions.get(id).and_then(Weak::upgrade) {
            return session;
        }
        sessions.retain(|_, session| session.strong_count() > 0);
        let session = Arc::<SessionConnections>::default();
        sessions.insert(id.to_owned(), Arc::downgrade(&session));
        session
    }
}

/// An open connection, until this is dropped.
struct Seat {
    session: Arc<SessionConnections>,
    is_listener: bool,
}

impl Seat {
    fn new(session: Arc<SessionConnections>) -> Self {
        session.open.send_modify(|count| *count += 1);
        Self { session, is_listener: false }
    }

    fn listen(&mut self) {
        self.session.listening.send_modify(|count| *count += 1);
        self.is_listener = true;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.session.open.send_modify(|count| *count -= 1);
        if self.is_listener {
            self.session.listening.send_modify(|count| *count -= 1);
        }
    }
}

/// Counts a connection until the last byte of its response is sent, or until it ends early.
pub(crate) async fn attend(State(presence): State<Presence>, request: Request, next: Next) -> Response {
    let Some(session) = id(request.headers()).map(|id| presence.named(id)) else {
        return next.run(request).await;
    };
    let mut seat = Seat::new(session);
    let listens = request.method() == Method::GET;
    let response = next.run(request).await;
    let streams =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
    if !streams || response.body().is_end_stream() {
        return response;
    }
    if listens {
        seat.listen();
    }
    response.map(|body| {
        Body::from_stream(body.into_data_stream().map(move |part| {
            let _seat = &seat;
            part
        }))
    })
}

fn id(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION)?.to_str().ok()
}
