//! The tools of MCP servers that `mcp` skills call. A program gives a runner access to servers by
//! [`Runner::mcp`](crate::Runner::mcp); the crate `skills-mcp-client` connects to them.

mod definition;

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};

pub use definition::{DefinitionChange, ToolDefinition};

use crate::BoxFuture;
use crate::trace::TraceContext;

/// The server that a skill of mode `mcp` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolServer<'a> {
    /// A URL, a command line or a name, as the `skill.json` of the skill writes it.
    pub text: &'a str,
    /// The directory of the skill. `None` if the skill is part of the program, so that the program names the server.
    /// Any other skill may come from a repository, and its server is used only after an approval.
    pub directory: Option<&'a Path>,
}

/// Gives access to the tools of MCP servers.
pub trait ToolServers: Send + Sync + 'static {
    /// Returns `true` if the server is a program that runs on this machine. Does not start it.
    ///
    /// # Errors
    /// If the server is not known, or not approved.
    fn starts_program(&self, server: ToolServer<'_>) -> Result<bool, ServerError>;

    /// Returns the definition of a tool, as the server gives it now.
    fn definition<'a>(
        &'a self,
        server: ToolServer<'a>,
        tool: &'a str,
    ) -> BoxFuture<'a, Result<Arc<ToolDefinition>, ServerError>>;

    /// Calls a tool, and returns the result of `tools/call` as the protocol writes it. If the future is
    /// dropped, the request is cancelled.
    fn call<'a>(&'a self, call: ToolCall<'a>) -> BoxFuture<'a, Result<Value, ServerError>>;
}

impl<S: ToolServers + ?Sized> ToolServers for Arc<S> {
    fn starts_program(&self, server: ToolServer<'_>) -> Result<bool, ServerError> {
        S::starts_program(self, server)
    }

    fn definition<'a>(
        &'a self,
        server: ToolServer<'a>,
        tool: &'a str,
    ) -> BoxFuture<'a, Result<Arc<ToolDefinition>, ServerError>> {
        S::definition(self, server, tool)
    }

    fn call<'a>(&'a self, call: ToolCall<'a>) -> BoxFuture<'a, Result<Value, ServerError>> {
        S::call(self, call)
    }
}

/// A call of a tool.
#[non_exhaustive]
pub struct ToolCall<'a> {
    /// The server.
    pub server: ToolServer<'a>,
    /// The name of the tool.
    pub tool: &'a str,
    /// The arguments, which match the input schema of the skill.
    pub arguments: Map<String, Value>,
    /// The trace context. The request contains it in `_meta`.
    pub trace: Option<TraceContext>,
    /// Receives the progress that the server reports.
    pub on_progress: &'a (dyn Fn(ToolProgress) + Send + Sync),
}

impl<'a> ToolCall<'a> {
    /// Creates a call whose progress nobody receives.
    pub fn new(server: ToolServer<'a>, tool: &'a str, arguments: Map<String, Value>) -> Self {
        Self { server, tool, arguments, trace: None, on_progress: &|_| {} }
    }
}

impl fmt::Debug for ToolCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("server", &self.server)
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}

/// The progress of a call, as a server reports it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolProgress {
    /// The amount of work that is done. It grows with each report.
    pub progress: f64,
    /// The total amount of work, if the server knows it.
    pub total: Option<f64>,
    /// A message for people.
    pub message: Option<String>,
}

/// The reason why a server gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerError {
    /// The message, for the operator of the program.
    pub message: String,
    /// Whether the same request may succeed if it is made again.
    pub is_retryable: bool,
}

impl ServerError {
    /// Creates an error that is not retryable.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_retryable: false }
    }

    /// Marks the error as one after which the same request may succeed.
    pub fn retryable(self) -> Self {
        Self { is_retryable: true, ..self }
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ServerError {}

/// Converts the result of `tools/call` to the output of a skill.
///
/// # Errors
/// The text of the answer, if the tool failed.
pub(crate) fn output(mut result: Value, is_structured: bool) -> Result<Value, String> {
    let blocks = match result.get_mut("content").map(Value::take) {
        Some(Value::Array(blocks)) => blocks,
        _ => Vec::new(),
    };
    let (texts, others): (Vec<Value>, Vec<Value>) =
        blocks.into_iter().partition(|block| block.get("type").and_then(Value::as_str) == Some("text"));
    let texts: Vec<&str> = texts.iter().filter_map(|block| block.get("text")?.as_str()).collect();
    let text = texts.join("\n");
    if result.get("isError").and_then(Value::as_bool) == Some(true) {
        let text =
            if text.is_empty() { Cow::Borrowed("it gave no reason") } else { skills_text::clean(&text) };
        return Err(text.into_owned());
    }
    if is_structured {
        let structured = result.get_mut("structuredContent").map(Value::take);
        return structured.ok_or_else(|| "its answer has no structured content".to_owned());
    }
    let mut output = Map::from_iter([("text".to_owned(), Value::String(text))]);
    if !others.is_empty() {
        output.insert("content".to_owned(), Value::Array(others));
    }
    Ok(Value::Object(output))
}
