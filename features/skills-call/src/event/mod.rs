//! Events of a call, sent while it runs to the callback of a host and to `tracing`.

mod trace;

use std::time::Duration;

use skills_registry::Mode;

use super::{CallId, ErrorKind};
use crate::model::Usage;
use skills_runtime::typed::Violation;

/// Something that happened in a call (SPEC 7.6).
///
/// Every [`Event::Call`] has its [`Event::Result`], and every [`Event::StepStart`] its [`Event::StepEnd`], whatever
/// becomes of them: what is dropped (with the call, at a time limit, or because another step failed) ends as
/// [`ErrorKind::Cancelled`], and what is inside is told before what is around it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// `skill_call`: a skill was found and is about to run.
    Call {
        /// The call.
        call: CallId,
        /// Its name.
        skill: String,
        /// How it runs.
        mode: Mode,
        /// How many calls are around it.
        depth: u32,
        /// The digest of the program's bundle, in hexadecimal digits (SPEC 14.7); nothing for a runner of directories.
        bundle: Option<String>,
        /// The input, if the host asked for it.
        input: Option<String>,
    },
    /// `skill_result`: it is done.
    Result {
        /// The call.
        call: CallId,
        /// Its name.
        skill: String,
        /// How many calls are around it.
        depth: u32,
        /// How long it took, all attempts included.
        duration: Duration,
        /// Why it failed.
        error: Option<String>,
        /// The kind of the failure. `None` if the call succeeded.
        kind: Option<ErrorKind>,
        /// The output, if the host asked for it.
        output: Option<String>,
        /// The tokens that its own requests to a model used, in all attempts.
        usage: Usage,
    },
    /// `skill_validation_retry`: an answer of the model does not fit, and the model is asked again.
    ValidationRetry {
        /// The call.
        call: CallId,
        /// The skill that asked.
        skill: String,
        /// The attempt that failed, from 1.
        attempt: u32,
        /// How many attempts there are.
        max_attempts: u32,
        /// The violations of the answer.
        violations: Vec<Violation>,
    },
    /// `gen_ai.chat`: a model was asked, and answered or failed; or nobody waited for it any more.
    Model {
        /// The call.
        call: CallId,
        /// The skill that asked.
        skill: String,
        /// The name of the model.
        model: String,
        /// The attempt, from 1.
        attempt: u32,
        /// How long it took.
        duration: Duration,
        /// The tokens that the request used.
        usage: Usage,
        /// The reason why there is no answer.
        error: Option<String>,
    },
    /// `step_start`: a step of a pipeline begins.
    StepStart {
        /// The call.
        call: CallId,
        /// The skill that the pipeline belongs to.
        skill: String,
        /// The name of the step.
        step: String,
    },
    /// `step_item`: one more item of a `foreach` is done.
    StepItem {
        /// The call.
        call: CallId,
        /// The skill that the pipeline belongs to.
        skill: String,
        /// The name of the step.
        step: String,
        /// How many items are done.
        done: usize,
        /// How many there are.
        total: usize,
    },
    /// `step_end`: a step is done.
    StepEnd {
        /// The call.
        call: CallId,
        /// The skill that the pipeline belongs to.
        skill: String,
        /// The name of the step.
        step: String,
        /// Why it failed; also where its failure took the place of its result.
        error: Option<String>,
        /// The kind of the failure. `None` if the step succeeded.
        kind: Option<ErrorKind>,
    },
    /// `step_skipped`: a step does not run.
    StepSkipped {
        /// The call.
        call: CallId,
        /// The skill that the pipeline belongs to.
        skill: String,
        /// The name of the step.
        step: String,
    },
    /// `step_damaged`: what the journal has of a step is broken; the step runs again.
    StepDamaged {
        /// The call.
        call: CallId,
        /// The skill that the pipeline belongs to.
        skill: String,
        /// The name of the step.
        step: String,
        /// The reason why the saved step cannot be used.
        reason: String,
    },
    /// `skill.exec`: a program has run, or is killed because nobody waits for it any more (exit code 137, `cancelled`).
    Exec {
        /// The call.
        call: CallId,
        /// The skill that it belongs to.
        skill: String,
        /// The version of the skill.
        version: String,
        /// The exit code.
        exit_code: i32,
        /// How long it took.
        duration: Duration,
        /// The reason of the failure.
        error: Option<String>,
    },
}

impl Event {
    /// Returns the name of the event, as SPEC 7.6 has it.
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
            Self::Exec { .. } => "skill.exec",
        }
    }

    /// Returns the call that the event belongs to; for a step, that of the pipeline.
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
            | Self::Exec { call, skill, .. } => (*call, skill),
        }
    }
}
