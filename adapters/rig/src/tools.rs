//! Converts the tools of a runner to tools of rig, which the runner answers.

use rig_core::message::ToolName;
use rig_core::tool::{DynamicTool, ToolErrorKind, ToolExecutionError, ToolOutput};
use serde_json::Value;
use skills_call::{CallOptions, ErrorKind, Runner, ToolAnswer};

/// Returns all tools that a model may call now, as tools of rig: the tool that loads skills, functions and
/// programs.
///
/// They have the current [`Runner::tool_definitions`], and call [`Runner::dispatch`]. If a call fails, rig
/// also sees a failure, whose text is for the model.
pub fn tools<B: 'static>(runner: &Runner<B>) -> Vec<DynamicTool> {
    let runner = runner.clone().untyped();
    let definitions = runner.tool_definitions().into_iter();
    let made = definitions.filter_map(|tool| {
        // No skill has an empty name.
        let name = ToolName::new(tool.name.as_str()).ok()?;
        let (runner, called) = (runner.clone(), tool.name);
        Some(DynamicTool::new(name, tool.description, tool.parameters, move |arguments| {
            let (runner, called) = (runner.clone(), called.clone());
            Box::pin(async move {
                let answer = runner.dispatch(&called, &arguments.to_string(), &CallOptions::default()).await;
                output(answer)
            })
        }))
    });
    made.collect()
}

fn output(answer: ToolAnswer) -> Result<ToolOutput, ToolExecutionError> {
    let ToolAnswer { text, is_error, output, kind, reason, .. } = answer;
    if is_error {
        let reason = reason.unwrap_or_else(|| text.clone());
        return Err(ToolExecutionError::new(kind_of(kind), reason).with_model_feedback(text));
    }
    Ok(match output {
        Some(Value::String(_)) | None => ToolOutput::text(text),
        Some(value) => ToolOutput::json(value),
    })
}

fn kind_of(kind: Option<ErrorKind>) -> ToolErrorKind {
    match kind {
        Some(ErrorKind::NotFound) => ToolErrorKind::NotFound,
        Some(ErrorKind::InvalidInput) => ToolErrorKind::InvalidArgs,
        Some(ErrorKind::Timeout) => ToolErrorKind::Timeout,
        Some(ErrorKind::Cancelled) => ToolErrorKind::Cancelled,
        _ => ToolErrorKind::Other,
    }
}
