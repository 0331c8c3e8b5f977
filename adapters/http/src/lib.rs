//! Serves the skills of a program over HTTP, as a [`Router`](axum::Router) for any axum server.
//!
//! ```text
//! GET  /v1/skills               the skills, as in `skills list --json`; `?search=…`: search results, best first
//! GET  /v1/graph                the calls between skills, as an SVG
//! GET  /v1/skills/{name}        one skill, with its text, files and schemas
//! GET  /v1/skills/{name}/graph  the steps of a pipeline, as an SVG
//! GET  /v1/skills/{name}/files/{path}  a file of a skill
//! POST /v1/skills/{name}/check  checks an input, and runs nothing
//! POST /v1/skills/{name}/exec   runs its program                       (403 unless enabled)
//! POST /v1/skills/{name}/call   calls it as a function                 (403 unless enabled)
//! GET  /.well-known/agent-skills/index.json  the published skills, with digests
//! GET  /.well-known/agent-skills/{name}.zip  the files of a published skill
//! GET  /v1/about                whether skills can be run here, and the model of chats
//! GET  /v1/openapi.json         these routes, with the schemas of the functions
//! POST /api/ai/chat             a chat that calls skills, for the AI SDK
//! ```
//!
//! A host with its own server mounts [`Api::routes`] and [`Api::chat`], and provides the authentication:
//!
//! ```no_run
//! use axum::{Router, routing::get};
//! use skills_http::Api;
//! use skills_call::Runner;
//! use skills_load::LayersBuilder;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! // Skills on disk; for bundled skills, use `SKILLS.runner()`.
//! let runner = Runner::from(LayersBuilder::new().directory("skills").load()?);
//! let api = Api::new(runner); // `.enable_exec()` lets clients run them
//! let app = Router::new()
//!     .route("/health", get(|| async { "well" }))
//!     .merge(api.routes().merge(api.chat())); // `.layer(…)` your authentication onto these
//! axum::serve(tokio::net::TcpListener::bind("127.0.0.1:8080").await?, app).await?;
//! # Ok(()) }
//! ```
//!
//! A host without a server uses [`bind`]: its [`Server`] has a [`Guard`], and limits for slow or stuck
//! clients.
//!
//! ```no_run
//! # async fn example(api: skills_http::Api) -> std::io::Result<()> {
//! let server = skills_http::bind(([127, 0, 0, 1], 8080).into()).await?;
//! server.run(api.routes().merge(api.chat()), skills_http::Guard::new()).await;
//! # Ok(()) }
//! ```

mod api;
mod approval;
mod archive;
mod call;
mod chat;
mod digests;
mod events;
mod exec;
mod files;
mod graph;
mod list;
mod openapi;
mod progress;
mod shared;
mod trace;
mod ui;
mod url;
mod well_known;

pub use api::Api;
pub use skills_serve::{Budget, Guard, Server, bind};
pub use ui::ui;

/// Compiles the code of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
