//! Handles tool calls: runs the skill, reports its progress, and returns its output or error.

mod progress;

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, RequestMetaObject};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::Value;
use skills_call::trace::TraceContext;
use skills_call::{CallOptions, Runner, ToolAnswer};
use skills_registry::ToolFormat;
use skills_runtime::tools::{LoadSkillTool, SearchSkillsTool};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tracing::Instrument;
use tracing::field::Empty;

use self::progress::ProgressReporter;
use crate::charge::{busy, force_charge};
use crate::server::Server;

/// How many progress reports may wait for a slow client.
const WAITING: usize = 64;

/// How long a call waits for the end of other clients' calls, which may take hours.
const QUEUE_TIME: Duration = Duration::from_secs(1);

/// Answers `tools/call`. When the client cancels the request or disconnects, everything that the call started
/// ends.
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
    let is_search = name == SearchSkillsTool::NAME && runner.server_access().has_search();
    let is_loading =
        name == LoadSkillTool::NAME && runner.server_access().loader_tool(ToolFormat::Mcp).is_some();
    if !is_search && !is_loading && !runner.is_tool(&name) {
        return Err(ErrorData::invalid_params(format!("unknown tool: {name}"), None));
    }
    let input = Value::Object(request.arguments.unwrap_or_default()).to_string();
    let place = server.shared.runs.acquire();
    let _permit = match &server.closed {
        // Over a pair of streams there is only one client, so a call waits only for calls of the
        // same client.
        Some(_) => place.await,
        None => timeout(QUEUE_TIME, place).await.map_err(|_| busy())?,
    };
    let (sender, mut reports) = mpsc::channel(WAITING);
    let client = client(&context.meta);
    let span = tracing::info_span!(
        target: "skills", "mcp",
        otel.name = format!("tools/call {name}"), otel.kind = "server", otel.status_code = Empty, "error.type" = Empty,
        mcp.method.name = "tools/call", gen_ai.tool.name = name.as_str(), jsonrpc.request.id = context.id.to_string(),
    );
    runner.server_access().adopt(&span, client.as_ref());
    let mut options = CallOptions::default().workspace(server.shared.workspace.clone()).trace(client);
    if let Some(token) = context.meta.get_progress_token() {
        let progress = ProgressReporter::new(steps(&runner, &name), token, sender);
        options.on_event = Some(Arc::new(move |event| progress.notify(event)));
    } else {
        drop(sender);
    }
    // The reports are sent by a separate task, so that a slow client does not delay the skill. The
    // task ends with this future.
    let mut task = JoinSet::new();
    let result_span = span.clone();
    let work = async move { runner.dispatch(&name, &input, &options).await };
    task.spawn(work.instrument(span));
    let joined = loop {
        tokio::select! {
            // Progress reports are sent before the result.
            biased;
            // If a report cannot be sent, the result cannot be sent either.
            Some(report) = reports.recv() => drop(context.peer.notify_progress(report).await),
            joined = task.join_next() => break joined,
        }
    };
    while let Ok(report) = reports.try_recv() {
        drop(context.peer.notify_progress(report).await);
    }
    let answer =
        joined.and_then(Result::ok).ok_or_else(|| ErrorData::internal_error("the call was ended", None))?;
    if answer.is_error {
        // The protocol calls these errors of the tool.
        result_span.record("error.type", "tool_error").record("otel.status_code", "ERROR");
    }
    let mut result = result(answer);
    if is_search {
        add_addresses(&mut result);
    }
    force_charge(context, &result);
    Ok(result)
}

/// Returns the trace context of the client, which is in the metadata of its request.
fn client(meta: &RequestMetaObject) -> Option<TraceContext> {
    let text = |key: &str| meta.0.0.get(key).and_then(Value::as_str);
    TraceContext::new(text("traceparent")?, text("tracestate"))
}

fn steps(runner: &Runner, name: &str) -> usize {
    let pipeline = runner.skills().function(name).and_then(|function| function.pipeline);
    pipeline.map_or(0, |pipeline| pipeline.steps.len())
}

/// Adds to each found skill with instructions its resource, for clients that read skills through the Skills extension.
fn add_addresses(result: &mut CallToolResult) {
    let skills = result.structured_content.as_mut().and_then(|content| content.get_mut("skills"));
    let mut lines = String::new();
    for skill in skills.and_then(Value::as_array_mut).into_iter().flatten() {
        if skill["load"] == true
            && let Some(name) = skill["name"].as_str()
        {
            let address = format!("skill://{name}/SKILL.md");
            lines.push_str(&format!("\n- {name}: {address}"));
            skill["uri"] = Value::String(address);
        }
    }
    if !lines.is_empty() {
        result.content.push(ContentBlock::text(format!("Resources of these skills:{lines}")));
    }
}

/// Converts the answer to the protocol. An object is also sent as structured content.
fn result(answer: ToolAnswer) -> CallToolResult {
    let content = vec![ContentBlock::text(answer.text)];
    if answer.is_error {
        return CallToolResult::error(content);
    }
    let mut result = CallToolResult::success(content);
    result.structured_content = answer.output.filter(Value::is_object);
    result
}
