//! The events of calls, which are reported to the callback of the host and to `tracing` as they happen.

mod trace;

use std::time::Duration;

use skills_registry::Mode;

use super::{CallId, ErrorKind};
use crate::model::Usage;
use skills_runtime::typed::Violation;

/// An event of a call.
///
/// Every [`Event::Call`] is followed by an [`Event::Result`], and every [`Event::StepStart`] by an
/// [`Event::StepEnd`]. Work that is dropped (with the call, at a time limit, or because another step failed)
/// ends as [`ErrorKind::Cancelled`]. Inner calls and steps end before the outer ones.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// `skill_call`: a skill was found and is about to run.
    Call {
        /// The id of the call.
        call: CallId,
        /// The name of the skill.
        skill: String,
        /// The mode of the skill.
        mode: Mode,
        /// How many calls surround it.
        depth: u32,
        /// The digest of the program's bundle, in hexadecimal digits; `None` for a runner of directories.
        bundle: Option<String>,
        /// The input, if the host enabled payloads in events.
        input: Option<String>,
    },
    /// `skill_result`: the call has ended.
    Result {
        /// The id of the call.
        call: CallId,
        /// The name of the skill.
        skill: String,
        /// How many calls surround it.
        depth: u32,
        /// How long it took, all attempts included.
        duration: Duration,
        /// The error text, if the call failed.
        error: Option<String>,
        /// The kind of the failure; `None` on success.
        kind: Option<ErrorKind>,
        /// The output, if the host enabled payloads in events.
        output: Option<String>,
        /// The usage of its own requests to a model, including all attempts.
        usage: Usage,
    },
    /// `skill_validation_retry`: the answer of the model does not match the schema, and the model is asked to
    /// correct it.
    ValidationRetry {
        /// The id of the call.
        call: CallId,
        /// The skill that made the request.
        skill: String,
        /// The attempt that failed, from 1.
        attempt: u32,
        /// The maximum number of attempts.
        max_attempts: u32,
        /// The violations in the answer.
        violations: Vec<Violation>,
    },
    /// `gen_ai.chat`: a request to a model has ended with an answer or an error, or was dropped.
    Model {
        /// The id of the call.
        call: CallId,
        /// The skill that made the request.
        skill: String,
        /// The name of the model.
        model: String,
        /// The attempt, from 1.
        attempt: u32,
        /// How long it took.
        duration: Duration,
        /// The tokens used.
        usage: Usage,
        /// The error text, if the request failed.
        error: Option<String>,
    },
    /// `step_start`: a step of a pipeline begins.
    StepStart {
        /// The id of the call.
        call: CallId,
        /// The skill that the pipeline belongs to.
        skill: String,
        /// The name of the step.
        step: String,
    },
    /// `step_item`: one more item of a `foreach` is done.
    StepItem {
        /// The id of the call.
        call: CallId,
        /// The skill that the pipeline belongs to.
        skill: String,
        /// The name of the step.
        step: String,
        /// How many items are done.
        done: usize,
        /// The number of items.
        total: usize,
    },
    /// `step_end`: a step has ended.
    StepEnd {
        /// The id of the call.
        call: CallId,
        /// The skill that the pipeline belongs to.
        skill: String,
        /// The name of the step.
        step: String,
        /// The error text, if the step failed; also set if the failure is used as the result of the step.
        error: Option<String>,
        /// The kind of the failure; `None` on success.
        kind: Option<ErrorKind>,
    },
    /// `step_skipped`: a step is skipped.
    StepSkipped {
        /// The id of the call.
        call: CallId,
        /// The skill that the pipeline belongs to.
        skill: String,
        /// The name of the step.
        step: String,
    },
    /// `step_damaged`: the journal entry of a step is damaged; the step runs again.
    StepDamaged {
        /// The id of the call.
        call: CallId,
        /// The skill that the pipeline belongs to.
        skill: String,
        /// The name of the step.
        step: String,
        /// A description of the damage.
        reason: String,
    },
    /// `tool_progress`: an MCP server reports the progress of a call.
    ToolProgress {
        /// The id of the call.
        call: CallId,
        /// The skill whose tool reports.
        skill: String,
        /// How much is done.
        progress: f64,
        /// The total amount of work, if the server knows it.
        total: Option<f64>,
        /// The message of the server.
        message: Option<String>,
    },
    /// `skill.exec`: a program has ended, or is killed because its result is no longer needed (exit code 137,
    /// `cancelled`).
    Exec {
        /// The id of the call.
        call: CallId,
        /// The skill that the program belongs to.
        skill: String,
        /// The version of the skill.
        version: String,
        /// The exit code.
        exit_code: i32,
        /// How long it took.
        duration: Duration,
        /// The error text, if the run failed.
        error: Option<String>,
    },
}

impl Event {
    /// Returns the name of the event, such as `skill_call`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Call { .. } => "skill_call",
            Self::Result { .. } => "skill_result",
            Self::ValidationRetry { .. } => "skill_validation_retry",
            Self::Model { .. } => "gen_ai.chat",
            Self::StepStart { .. } => "step_start",
            Self::StepItem { .. } => "step_item",
            Self::StepEnd { .. } => "step_end",
            Self::StepSkipped { .. } => "step_skipped",
            Self::StepDamaged { .. } => "step_damaged",
            Self::ToolProgress { .. } => "tool_progress",
            Self::Exec { .. } => "skill.exec",
        }
    }

    /// Returns the id of the call that the event belongs to; for a step, the id of the pipeline's call.
    pub fn call(&self) -> CallId {
        self.about().0
    }

    /// Returns the skill that the event is about.
    pub fn skill(&self) -> &str {
        self.about().1
    }

    fn about(&self) -> (CallId, &str) {
        match self {
            Self::Call { call, skill, .. }
            | Self::Result { call, skill, .. }
            | Self::ValidationRetry { call, skill, .. }
            | Self::Model { call, skill, .. }
            | Self::StepStart { call, skill, .. }
            | Self::StepItem { call, skill, .. }
            | Self::StepEnd { call, skill, .. }
            | Self::StepSkipped { call, skill, .. }
            | Self::StepDamaged { call, skill, .. }
            | Self::ToolProgress { call, skill, .. }
            | Self::Exec { call, skill, .. } => (*call, skill),
        }
    }
}
