//! Calls skills as functions: checks the input, runs the skill in its mode, and checks the output.
//!
//! ```text
//! Layers (bundle, directories, servers) -> Function -> host | program | model | pipeline -> output
//! ```
//!
//! A [`Runner`] holds everything that calls need. Generated code creates the runner of a bundle and the typed
//! interface of its host. Without generated code it looks like this:
//!
//! ```
//! use serde_json::json;
//! use skills_call::{BoxFuture, Context, Dispatch, Failure, Runner};
//! use skills_load::LayersBuilder;
//!
//! struct Host;
//!
//! impl Dispatch for Host {
//!     fn call<'a>(
//!         &'a self,
//!         skill: &str,
//!         input: String,
//!         _: &'a Context,
//!     ) -> Option<BoxFuture<'a, Result<String, Failure>>> {
//!         match skill {
//!             "echo" => Some(Box::pin(async move { Ok(format!("{{\"heard\": {input}}}")) })),
//!             _ => None,
//!         }
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = tempfile::tempdir()?;
//! # std::fs::create_dir(directory.path().join("echo"))?;
//! # let input = r#"{"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}"#;
//! # let manifest = format!(r#"{{"name": "echo", "description": "Repeats.", "category": "test", "mode": "code",
//! #     "input": {input}, "output": {{"type": "object"}}}}"#);
//! # std::fs::write(directory.path().join("echo/skill.json"), manifest)?;
//! let layers = LayersBuilder::new().directory(directory.path()).load()?;
//! let runner = Runner::new(layers).host(Host);
//! let output = runner.call_json("echo", json!({"text": "hello"})).await?;
//! assert_eq!(output, json!({"heard": {"text": "hello"}}));
//!
//! let refused = runner.call_json("echo", json!({})).await.unwrap_err();
//! assert_eq!(
//!     refused.to_string(),
//!     "Skill \"echo\" input validation failed\n(root): required: expected the property \"text\", found none"
//! );
//! # Ok(())
//! # }
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

mod cancellation;
mod context;
pub mod durable;
mod error;
mod event;
mod host;
mod llm;
pub mod mcp;
pub mod model;
#[doc(hidden)]
pub mod names;
mod options;
pub mod pipeline;
mod published;
mod run;
mod runner;
mod server_access;
mod settings;
mod steps;
pub mod testing;
mod toolbox;
pub mod trace;

pub use crate::host::{BoxFuture, Failure};
pub use cancellation::Cancellation;
pub use context::Context;
pub use error::{CallError, ErrorKind, Fault};
pub use event::Event;
pub use host::Dispatch;
pub use host::{Input, Output};
#[doc(hidden)]
pub use llm::candidates;
pub use options::{CallOptions, Called, Observer, StepRecord, StepState};
pub use pipeline::journal::{FileStore, RunLock, Saved, StepStore};
pub use published::Published;
pub use run::blocking::run_blocking;
pub use run::plan::{Plan, PlannedStep};
pub use runner::Runner;
pub use server_access::ServerAccess;
pub use skills_exec::CallId;
pub use skills_runtime::capabilities::{Missing, MissingCapability};
pub use skills_runtime::layers::{Function, Functions, Layers};
pub use steps::{PendingStep, Steps};
pub use toolbox::{Loader, OnDemand, ToolAnswer};
