//! Emits events of calls to `tracing`, with the attributes of the OpenTelemetry GenAI conventions where they
//! exist.

use std::time::Duration;

use tracing::{Level, event};

use super::Event;
use crate::ErrorKind;

impl Event {
    /// Returns `true` if a subscriber may want events of calls. Otherwise no event is built.
    pub(crate) fn is_traced() -> bool {
        tracing::enabled!(target: "skills", Level::WARN)
    }

    /// Emits the event to the current subscriber.
    pub(crate) fn trace(&self) {
        let (call_id, parent_call_id) = (self.call().number(), self.call().parent());
        match self {
            Self::Call { skill, mode, depth, bundle, input, .. } => event!(
                name: "skill_call", target: "skills", Level::INFO,
                call_id, parent_call_id, skill, mode = mode.as_str(), depth, bundle, input, "skill is called",
            ),
            Self::Result { skill, depth, duration, error, kind, output, usage, .. } => event!(
                name: "skill_result", target: "skills", Level::INFO,
                call_id, parent_call_id, skill, depth, duration_ms = milliseconds(*duration), error,
                "error.type" = kind.map(ErrorKind::as_str), output,
                gen_ai.usage.input_tokens = usage.input_tokens,
                gen_ai.usage.output_tokens = usage.output_tokens,
                "{}", if error.is_some() { "skill failed" } else { "skill answered" },
            ),
            Self::ValidationRetry { skill, attempt, max_attempts, violations, .. } => {
                let violations: Vec<String> = violations.iter().map(ToString::to_string).collect();
                event!(
                    name: "skill_validation_retry", target: "skills", Level::WARN,
                    call_id, parent_call_id, skill, attempt, max_attempts, violations = violations.join("\n"),
                    "the answer of the model does not fit",
                );
            }
            Self::Model { skill, model, attempt, duration, usage, error, .. } => event!(
                name: "gen_ai.chat", target: "skills", Level::INFO,
                call_id, parent_call_id, skill, attempt, duration_ms = milliseconds(*duration), error,
                gen_ai.operation.name = "chat",
                gen_ai.request.model = model,
                gen_ai.usage.input_tokens = usage.input_tokens,
                gen_ai.usage.output_tokens = usage.output_tokens,
                "{}", if error.is_some() { "model failed" } else { "model answered" },
            ),
            Self::StepStart { skill, step, .. } => {
                event!(name: "step_start", target: "skills", Level::INFO, call_id, parent_call_id, skill, step, "step begins");
            }
            Self::StepItem { skill, step, done, total, .. } => {
                event!(name: "step_item", target: "skills", Level::DEBUG, call_id, parent_call_id, skill, step, done, total, "item of step is done");
            }
            Self::StepEnd { skill, step, error, kind, .. } => {
                event!(
                    name: "step_end", target: "skills", Level::INFO,
                    call_id, parent_call_id, skill, step, error, "error.type" = kind.map(ErrorKind::as_str),
                    "{}", if error.is_some() { "step failed" } else { "step is done" },
                );
            }
            Self::StepSkipped { skill, step, .. } => {
                event!(name: "step_skipped", target: "skills", Level::INFO, call_id, parent_call_id, skill, step, "step is skipped");
            }
            Self::StepDamaged { skill, step, reason, .. } => event!(
                name: "step_damaged", target: "skills", Level::WARN,
                call_id, parent_call_id, skill, step, reason, "finished step cannot be read back and runs again",
            ),
            Self::ToolProgress { skill, progress, total, message, .. } => event!(
                name: "tool_progress", target: "skills", Level::DEBUG,
                call_id, parent_call_id, skill, progress, total, message, "tool reports progress",
            ),
            // The executor emits this event, also for runs without a call.
            Self::Exec { .. } => {}
        }
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
