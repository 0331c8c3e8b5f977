//! The route that describes the server, so that clients show only what the server offers.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde_json::json;

use crate::shared::Shared;
use skills_serve::answer::{Problem, json_text};

/// `GET /v1/about`: whether clients may run skills, and the model of chats, if there is one.
pub(crate) async fn about(State(shared): State<Arc<Shared>>) -> Result<Response, Problem> {
    let model = shared.runner()?.server_access().language_model().map(|model| model.name().to_owned());
    Ok(json_text(json!({ "exec": shared.is_exec_enabled, "model": model }).to_string()))
}
