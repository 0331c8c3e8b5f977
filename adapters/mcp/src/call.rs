//! A tool is called: the skill runs, its progress is told, its output or its failure is the result (SPEC 6.4, 11.4).

use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;
use skills_runtime::call::{CallError, CallOptions, Runner};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::progress::Progress;
use crate::server::Server;
use crate::tool::is_tool;

/// How many reports of progress wait for a slow client.
const WAITING: usize = 64;

/// Answers `tools/call`. Everything that it started ends with the request: when the client cancels it or is gone.
///
/// # Errors
/// No tool has the name, or the request is over.
pub(crate) async fn call(
    server: &Server,
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let gone = server.gone(&context);
    tokio::select! {
        result = run(server, request, &context) => result,
        () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
        () = gone => Err(ErrorData::internal_error("the client is gone", None)),
    }
}

async fn run(
    server: &Server,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let runner = server.shared.runner()?;
    let name = request.name.into_owned();
    if !is_tool(&runner, &name) {
        return Err(ErrorData::invalid_params(format!("unknown tool: {name}"), None));
    }
    let input = Value::Object(request.arguments.unwrap_or_default()).to_string();
    // The semaphore is never closed.
    let _permit = server.shared.runs.acquire().await.ok();
    let (sender, mut reports) = mpsc::channel(WAITING);
    let mut options = CallOptions::default().workspace(server.shared.workspace.clone());
    if let Some(token) = context.meta.get_progress_token() {
        let progress = Progress::new(steps(&runner, &name), token, sender);
        options.on_event = Some(Arc::new(move |event| progress.tell(event)));
    } else {
        drop(sender);
    }
    // A task of its own, ended with this future: a client that reads slowly does not hold the skill up, and a function
    // that panics is a failure like any other.
    let mut task = JoinSet::new();
    task.spawn(async move {
        let called = runner.call_text(&name, input, options).await;
        called.map(|outcome| outcome.output)
    });
    let joined = loop {
        tokio::select! {
            // Reports come before the result that they lead up to.
            biased;
            // A client that cannot be told will not be given the result either.
            Some(report) = reports.recv() => drop(context.peer.notify_progress(report).await),
            joined = task.join_next() => break joined,
        }
    };
    while let Ok(report) = reports.try_recv() {
        drop(context.peer.notify_progress(report).await);
    }
    Ok(match joined {
        Some(Ok(Ok(output))) => success(output),
        Some(Ok(Err(error))) => failure(&error),
        Some(Err(_)) | None => CallToolResult::error(vec![ContentBlock::text("the skill panicked")]),
    })
}

fn steps(runner: &Runner, name: &str) -> usize {
    let pipeline = runner.skills().function(name).and_then(|function| function.pipeline);
    pipeline.map_or(0, |pipeline| pipeline.steps.len())
}

/// The output as it is; an object is structured content, too.
fn success(output: String) -> CallToolResult {
    match serde_json::from_str(&output) {
        Ok(Value::String(text)) => CallToolResult::success(vec![ContentBlock::text(text)]),
        Ok(value @ Value::Object(_)) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(output)]);
            result.structured_content = Some(value);
            result
        }
        _ => CallToolResult::success(vec![ContentBlock::text(output)]),
    }
}

/// The error, with every violation, for the model that made the call.
fn failure(error: &CallError) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(error.to_string())])
}
