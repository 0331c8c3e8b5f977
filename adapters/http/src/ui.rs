//! A web page for viewing skills, running one and chatting: a static file that uses the routes. One route describes the
//! server, so that clients show only what the server offers.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;
use skills_serve::answer::{Problem, json_text, of_kind};

use crate::shared::Shared;

const PAGE: &str = include_str!("ui.html");

/// The page loads nothing from other hosts, and other pages cannot frame it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns the page at `/`. If the guard requires a token, open `/#token=TOKEN`.
pub fn ui<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/", get(page))
}

async fn page() -> impl IntoResponse {
    ([(header::CONTENT_SECURITY_POLICY, POLICY)], of_kind("text/html; charset=utf-8", PAGE))
}

/// `GET /v1/about`: whether clients may run skills, and the model of chats, if there is one.
pub(crate) async fn about(State(shared): State<Arc<Shared>>) -> Result<Response, Problem> {
    let model = shared.runner()?.server_access().language_model().map(|model| model.name().to_owned());
    Ok(json_text(json!({ "exec": shared.is_exec_enabled, "model": model }).to_string()))
}
