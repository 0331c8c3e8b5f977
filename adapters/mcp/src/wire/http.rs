//! Many clients over streamable HTTP: routes that any axum server mounts, and a server of its own (SPEC 11.4).

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use skills_http::Guard;
use tokio_util::sync::DropGuard;

use super::presence::{Presence, SESSION, attend};
use crate::server::Server;

/// How long a session without messages is kept; longer than calls take.
const KEPT: Duration = Duration::from_secs(30 * 60);

/// How many sessions there are at most.
const SESSIONS: usize = 1_000;

impl Server {
    /// Returns the route `/mcp`. It has no guard of its own: [`http`] adds one.
    ///
    /// Sessions, and what runs in them, end when the router and its clones are dropped.
    ///
    /// ```
    /// # fn mount(runner: skills_runtime::call::Runner) {
    /// let app: axum::Router = axum::Router::new().merge(skills_mcp::Server::new(runner).routes());
    /// # let _ = app; }
    /// ```
    pub fn routes(&self) -> Router {
        let presence = Presence::default();
        let server = Self { presence: Some(presence.clone()), ..self.clone() };
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(KEPT);
        let sessions = Arc::new(sessions);
        // Who may ask is the business of the router that this is merged into.
        let config = StreamableHttpServerConfig::default().disable_allowed_hosts();
        let end = Arc::new(config.cancellation_token.clone().drop_guard());
        let service = StreamableHttpService::new(move || Ok(server.session()), Arc::clone(&sessions), config);
        Router::new()
            .route_service("/mcp", service)
            .layer(middleware::from_fn_with_state(presence, attend))
            .layer(middleware::from_fn_with_state(Limit { sessions, _end: end }, limit))
    }
}

/// What keeps the sessions within bounds, and ends them with the router.
#[derive(Clone)]
struct Limit {
    sessions: Arc<LocalSessionManager>,
    _end: Arc<DropGuard>,
}

/// Refuses what may begin a session when there are too many.
async fn limit(State(limit): State<Limit>, request: Request, next: Next) -> Response {
    let may_begin = request.method() == Method::POST && !request.headers().contains_key(SESSION);
    if may_begin && limit.sessions.sessions.read().await.len() >= SESSIONS {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many sessions").into_response();
    }
    next.run(request).await
}

/// Serves at `/mcp` on an address, to clients that pass the guard, until the future is dropped.
///
/// ```no_run
/// # async fn serve(runner: skills_runtime::call::Runner) -> std::io::Result<()> {
/// skills_mcp::http(skills_mcp::Server::new(runner), ([127, 0, 0, 1], 8080).into(), skills_mcp::Guard::new()).await
/// # }
/// ```
///
/// # Errors
/// The address is taken, or none of this machine's.
pub async fn http(server: Server, address: SocketAddr, guard: Guard) -> io::Result<()> {
    let bound = skills_http::bind(address).await?;
    bound.run(server.routes(), guard).await;
    Ok(())
}
