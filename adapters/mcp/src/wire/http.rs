//! Serves many clients over streamable HTTP: as routes for any axum server, or with its own server.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Once};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use skills_serve::{Budget, Guard, admit, hold_until_sent};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::attendance::{Presence, SESSION, attend};
use super::sessions::{PEER, Sessions};
use crate::server::Server;
use crate::shared::End;

/// How long an idle session is kept. This is longer than calls take.
const KEPT: Duration = Duration::from_secs(30 * 60);

/// The maximum size of a message in bytes, and the maximum time for receiving it.
const MESSAGE: usize = 4 << 20;
const MESSAGE_TIME: Duration = Duration::from_secs(15);

/// How often expired responses are removed.
const EXPIRY_INTERVAL: Duration = Duration::from_secs(5);

impl Server {
    /// Returns the route `/mcp`. It has no access control; [`http`] adds a guard.
    ///
    /// Sessions and their work end when the router and its clones are dropped, or at the shutdown that
    /// [`until`](Self::until) sets.
    ///
    /// ```
    /// # fn mount(runner: skills_call::Runner) {
    /// let app: axum::Router = axum::Router::new().merge(skills_mcp::Server::new(runner).routes());
    /// # let _ = app; }
    /// ```
    pub fn routes<S: Clone + Send + Sync + 'static>(&self) -> Router<S> {
        let presence = Presence::default();
        let server = Self { presence: Some(presence.clone()), ..self.clone() };
        let end = self.shared.end.clone();
        let sessions =
            Arc::new(Sessions::new(KEPT, end.clone(), presence.clone(), self.shared.budget.clone()));
        // The router that this is merged into decides who may send requests.
        let config = StreamableHttpServerConfig::default().disable_allowed_hosts();
        let token = config.cancellation_token.clone();
        let limit = Limit {
            sessions: Arc::clone(&sessions),
            budget: self.shared.budget.clone(),
            end,
            ending: Arc::new(Once::new()),
            token: token.clone(),
            _drop: Arc::new(token.drop_guard()),
        };
        let service = StreamableHttpService::new(move || Ok(server.session()), sessions, config);
        Router::new()
            .route_service("/mcp", service)
            .layer(middleware::from_fn_with_state(presence, attend))
            .layer(middleware::from_fn_with_state(limit, check_request))
    }
}

/// Limits the number of sessions and the memory of requests, and ends sessions with the router.
#[derive(Clone)]
struct Limit {
    sessions: Arc<Sessions>,
    budget: Budget,
    end: End,
    /// Starts the task that waits for the shutdown, at the first request.
    ending: Arc<Once>,
    token: CancellationToken,
    _drop: Arc<DropGuard>,
}

/// Refuses all requests after the shutdown. Also refuses a request that may begin a session if there are too
/// many sessions and none is idle.
async fn check_request(State(limit): State<Limit>, request: Request, next: Next) -> Response {
    limit.ending.call_once(|| {
        let (end, token) = (limit.end.clone(), limit.token.clone());
        tokio::spawn(token.clone().run_until_cancelled_owned(async move {
            end.signal().await;
            tokio::time::sleep(end.grace).await;
            token.cancel();
        }));
        let (sessions, token) = (Arc::downgrade(&limit.sessions), limit.token.clone());
        tokio::spawn(token.run_until_cancelled_owned(async move {
            loop {
                tokio::time::sleep(EXPIRY_INTERVAL).await;
                let Some(sessions) = sessions.upgrade() else { return };
                sessions.forget().await;
            }
        }));
    });
    if limit.end.has_come() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the server is ending").into_response();
    }
    let may_begin = request.method() == Method::POST && !request.headers().contains_key(SESSION);
    if may_begin && !limit.sessions.have_room().await {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many sessions").into_response();
    }
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
    let (request, share) = match admit(request, MESSAGE, MESSAGE_TIME, &limit.budget).await {
        Ok(admitted) => admitted,
        Err(refused) => return refused,
    };
    hold_until_sent(PEER.scope(peer, next.run(request)).await, share)
}

/// Serves at `/mcp` on an address, to clients that pass the guard, until the shutdown that [`Server::until`]
/// sets, or until the future is dropped.
///
/// ```no_run
/// # async fn serve(runner: skills_call::Runner) -> std::io::Result<()> {
/// skills_mcp::http(skills_mcp::Server::new(runner), ([127, 0, 0, 1], 8080).into(), skills_mcp::Guard::new()).await
/// # }
/// ```
///
/// # Errors
/// If the address is in use, or does not belong to this machine.
pub async fn http(server: Server, address: SocketAddr, guard: Guard) -> io::Result<()> {
    let End { grace, .. } = server.shared.end;
    let bound = skills_serve::bind(address).await?.until(server.shared.end.signal()).grace(grace);
    bound.run(server.routes(), guard).await;
    Ok(())
}
