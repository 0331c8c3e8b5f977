//! The skills of a program over HTTP: a [`Router`](axum::Router) that any axum server mounts (SPEC 11.2, 11.3).
//!
//! ```text
//! GET  /v1/skills               the skills, as `skills list --json` prints them
//! GET  /v1/skills/{name}        one of them, with its text, files and schemas
//! POST /v1/skills/{name}/exec   its program is run                     (403 unless enabled)
//! POST /v1/skills/{name}/call   it is called as a function             (403 unless enabled)
//! GET  /v1/openapi.json         these routes, with the schemas of the functions
//! POST /api/ai/chat             a chat that calls skills, for the AI SDK
//! ```
//!
//! [`bind`] takes an address and [`Server`] guards it; a host with a server of its own mounts [`Api::routes`] and
//! [`Api::chat`] and brings its own authentication.

mod answer;
mod api;
mod body;
mod call;
mod chat;
mod exec;
mod guard;
mod list;
mod openapi;
mod serve;
mod ui;

pub use api::Api;
pub use guard::Guard;
pub use serve::{Server, bind};
pub use ui::ui;

/// Compiles the code of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
