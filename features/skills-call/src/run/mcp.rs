//! Runs a skill by a tool of an MCP server, if the server still defines the tool as it was pinned.

use serde_json::Value;

use super::frame::CallFrame;
use crate::mcp::{ServerError, ToolCall, ToolDefinition, ToolProgress, output};
use crate::span::Span;
use crate::{CallError, Event, Missing, MissingCapability};
use skills_exec::Confine;

/// Calls the tool. Dropping the future cancels the request.
pub(crate) async fn run(frame: CallFrame<'_>) -> Result<String, CallError> {
    let lacks = |capability| CallError::from(Missing { skill: frame.name(), capability });
    let skill = frame.function.skill;
    let servers = frame.call.engine.mcp.as_ref().ok_or_else(|| lacks(MissingCapability::Mcp))?;
    let pinned = skill.pinned_tool().ok_or_else(|| lacks(MissingCapability::Function))?;
    let failed = |source: ServerError| CallError::Mcp { skill: frame.name(), source };
    if is_command(pinned.server) && !admits_commands(&frame) {
        let text =
            "the server is a command line, and this policy does not start programs outside of a sandbox";
        return Err(failed(ServerError::new(format!("{}: {text}", pinned.server))));
    }
    let defined = servers.definition(pinned.server, pinned.tool).await.map_err(failed)?;
    if defined.digest() != pinned.digest {
        let changes = ToolDefinition::of_skill(skill).map(|own| own.changes(&defined)).unwrap_or_default();
        let changes = changes.iter().map(ToString::to_string).collect();
        let (server, tool) = (pinned.server.to_owned(), pinned.tool.to_owned());
        return Err(CallError::ToolChanged { skill: frame.name(), server, tool, changes });
    }
    let Ok(Value::Object(arguments)) = serde_json::from_str(frame.input) else {
        return Err(failed(ServerError::new("the input of a tool must be an object")));
    };
    let report = |progress: ToolProgress| {
        let ToolProgress { progress, total, message } = progress;
        let skill = frame.name();
        frame.call.emit(|| Event::ToolProgress { call: frame.id, skill, progress, total, message });
    };
    let span = Span::of_request(pinned.tool);
    let trace = span.context(&frame.call.engine).or_else(|| frame.call.trace.clone());
    let request =
        ToolCall { trace, on_progress: &report, ..ToolCall::new(pinned.server, pinned.tool, arguments) };
    let answered = span.within(servers.call(request)).await.map_err(failed);
    let text = |text| CallError::Tool { skill: frame.name(), text };
    let answered = answered.and_then(|result| output(result, defined.is_structured).map_err(text));
    if let Err(error) = &answered {
        span.fail(error.kind());
    }
    Ok(answered?.to_string())
}

/// Returns `true` if the text that names a server is a command line, and neither a URL nor a name.
fn is_command(server: &str) -> bool {
    let is_url = server.starts_with("https://") || server.starts_with("http://");
    !is_url && server.contains(|c: char| c.is_whitespace() || matches!(c, '/' | '\\'))
}

/// Returns `true` if the policy allows programs without a sandbox, because servers are started without one.
fn admits_commands(frame: &CallFrame<'_>) -> bool {
    let engine = &frame.call.engine;
    let is_free =
        engine.programs.sandbox.is_none() && engine.programs.confinement.confine != Confine::Require;
    is_free && engine.library.trust(frame.function.skill).may_run()
}
