//! A web page for viewing skills, running one and chatting: a static file that uses the routes.

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

use skills_serve::answer::of_kind;

const PAGE: &str = include_str!("ui.html");

/// The page loads nothing from other hosts, and other pages cannot frame it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns the page at `/`. If the guard requires a token, open `/#token=TOKEN`.
pub fn ui() -> Router {
    Router::new().route("/", get(page))
}

async fn page() -> impl IntoResponse {
    ([(header::CONTENT_SECURITY_POLICY, POLICY)], of_kind("text/html; charset=utf-8", PAGE))
}
