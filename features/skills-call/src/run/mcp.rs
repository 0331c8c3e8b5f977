//! Runs a skill by a tool of an MCP server, if the server still defines the tool as it was pinned.

use serde_json::Value;

use super::CallFrame;
use crate::mcp::{ServerError, ToolCall, ToolDefinition, ToolProgress, ToolServer, output};
use crate::trace::Span;
use crate::{CallError, Event, MissingCapability};
use skills_exec::Confine;
use skills_runtime::trust::Trust;

/// Calls the tool. Dropping the future cancels the request.
pub(crate) async fn run(frame: CallFrame<'_>) -> Result<String, CallError> {
    let skill = frame.function.skill;
    let servers =
        frame.call.runner.mcp.as_ref().ok_or_else(|| frame.report_missing(MissingCapability::Mcp))?;
    let pinned = skill.pinned_tool().ok_or_else(|| frame.report_missing(MissingCapability::Function))?;
    let layers = &frame.call.runner.layers;
    let is_of_program = layers.trust(skill) == Trust::Program;
    // A skill without a directory, which is not part of the program, gets a path that no approval has.
    let directory = if is_of_program { None } else { Some(layers.directory(skill).unwrap_or_default()) };
    let server = ToolServer { text: pinned.server, directory: directory.as_deref() };
    if is_confined(&frame) && servers.starts_program(server).map_err(|source| fail_call(source, &frame))? {
        let text = "the server is a command line, which runs outside of the sandbox that this policy wants for the skill; \
                    use a server with a URL, or call it without a sandbox if you trust its program (`--sandbox off`, \
                    `Confine::Off`)";
        return Err(fail_call(ServerError::new(format!("{}: {text}", pinned.server)), &frame));
    }
    let defined =
        servers.definition(server, pinned.tool).await.map_err(|source| fail_call(source, &frame))?;
    if defined.digest() != pinned.digest {
        let changes = ToolDefinition::of_skill(skill).map(|own| own.changes(&defined)).unwrap_or_default();
        let changes = changes.iter().map(ToString::to_string).collect();
        let (server, tool) = (pinned.server.to_owned(), pinned.tool.to_owned());
        return Err(CallError::ToolChanged { skill: frame.name(), server, tool, changes });
    }
    let Ok(Value::Object(arguments)) = serde_json::from_str(frame.input) else {
        return Err(fail_call(ServerError::new("the input of a tool must be an object"), &frame));
    };
    let span = Span::of_request(pinned.tool);
    let trace = span.context(&frame.call.runner).or_else(|| frame.call.trace.clone());
    let request = ToolCall {
        trace,
        on_progress: &|progress: ToolProgress| {
            let ToolProgress { progress, total, message } = progress;
            let skill = frame.name();
            frame.call.emit(|| Event::ToolProgress { call: frame.id, skill, progress, total, message });
        },
        ..ToolCall::new(server, pinned.tool, arguments)
    };
    let answered = span.within(servers.call(request)).await.map_err(|source| fail_call(source, &frame));
    let answered = answered.and_then(|result| {
        output(result, defined.is_structured).map_err(|text| CallError::Tool { skill: frame.name(), text })
    });
    if let Err(error) = &answered {
        span.fail(error.kind());
    }
    Ok(answered?.to_string())
}

fn fail_call(source: ServerError, frame: &CallFrame<'_>) -> CallError {
    CallError::Mcp { skill: frame.name(), source }
}

/// Returns `true` if the policy wants a sandbox for the program of this skill. The programs of servers are started without
/// one, so they are refused then, even if the system could not confine them.
fn is_confined(frame: &CallFrame<'_>) -> bool {
    let programs = &frame.call.runner.programs;
    let is_trusted = frame.call.runner.layers.trust(frame.function.skill).may_run();
    let is_wanted = match programs.confinement.confine {
        Confine::Off => false,
        Confine::Auto => !is_trusted || frame.function.skill.permissions().is_some(),
        Confine::Require => true,
    };
    programs.sandbox.is_some() || is_wanted || !is_trusted
}
