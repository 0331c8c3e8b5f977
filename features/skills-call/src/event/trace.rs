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
        let skill = self.skill();
        macro_rules! emit {
            ($name:literal, $level:ident, $($fields:tt)*) => {
                event!(
                    name: $name, target: "skills", Level::$level, call_id, parent_call_id, skill, $($fields)*
                )
            };
        }
        match self {
            Self::Call { mode, depth, bundle, input, .. } => {
                emit!("skill_call", INFO, mode = mode.as_str(), depth, bundle, input, "skill is called");
            }
            Self::Result { depth, duration, error, kind, output, usage, .. } => emit!(
                "skill_result",
                INFO,
                depth,
                duration_ms = milliseconds(*duration),
                error,
                "error.type" = kind.map(ErrorKind::as_str),
                output,
                gen_ai.usage.input_tokens = usage.input_tokens,
                gen_ai.usage.output_tokens = usage.output_tokens,
                "{}",
                if error.is_some() { "skill failed" } else { "skill answered" },
            ),
            Self::ValidationRetry { attempt, max_attempts, violations, .. } => {
                let violations: Vec<String> = violations.iter().map(ToString::to_string).collect();
                let violations = violations.join("\n");
                emit!(
                    "skill_validation_retry",
                    WARN,
                    attempt,
                    max_attempts,
                    violations,
                    "the answer of the model does not fit",
                );
            }
            Self::Model { model, attempt, duration, usage, error, .. } => emit!(
                "gen_ai.chat",
                INFO,
                attempt,
                duration_ms = milliseconds(*duration),
                error,
                gen_ai.operation.name = "chat",
                gen_ai.request.model = model,
                gen_ai.usage.input_tokens = usage.input_tokens,
                gen_ai.usage.output_tokens = usage.output_tokens,
                "{}",
                if error.is_some() { "model failed" } else { "model answered" },
            ),
            Self::StepStart { step, .. } => emit!("step_start", INFO, step, "step begins"),
            Self::StepItem { step, done, total, .. } => {
                emit!("step_item", DEBUG, step, done, total, "item of step is done");
            }
            Self::StepEnd { step, error, kind, .. } => emit!(
                "step_end",
                INFO,
                step,
                error,
                "error.type" = kind.map(ErrorKind::as_str),
                "{}",
                if error.is_some() { "step failed" } else { "step is done" },
            ),
            Self::StepSkipped { step, .. } => emit!("step_skipped", INFO, step, "step is skipped"),
            Self::StepDamaged { step, reason, .. } => {
                emit!("step_damaged", WARN, step, reason, "finished step cannot be read back and runs again",)
            }
            Self::ToolProgress { progress, total, message, .. } => {
                emit!("tool_progress", DEBUG, progress, total, message, "tool reports progress");
            }
            // The executor emits this event, also for runs without a call.
            Self::Exec { .. } => {}
        }
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
