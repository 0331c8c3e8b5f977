//! Makes the attempts of pipeline steps: in this process, in this process with a journal, or in an engine.

mod journaled;

use std::any::TypeId;
use std::time::Duration;

pub(super) use journaled::Journaled;

use super::pipeline::journal::{digest, fingerprint};
use super::pipeline::{Answer, Attempt};
use super::run::frame::CallFrame;
use super::run::{Invocation, run};
use super::{BoxFuture, CallError, Event, Failure, Function};
use crate::trace::TraceContext;

/// Makes the attempts of pipeline steps ([`CallOptions::steps`](super::CallOptions::steps)).
///
/// A pipeline decides when each step runs, its input, the number of attempts, and how its result or failure
/// is used. An implementation decides where an attempt is made and what is recorded about it. The requests of
/// a pipeline depend only on the answers and their order: a pipeline that receives recorded answers in the
/// order of the record makes the same requests again, and then continues.
///
/// This also applies to the steps of nested pipelines that run in this process ([`PendingStep::run_here`]),
/// but not to the calls that a host function makes.
///
/// ```
/// use skills_call::pipeline::Answer;
/// use skills_call::{BoxFuture, CallError, PendingStep, Steps};
///
/// /// Runs everything here, and says so.
/// struct Printer;
///
/// impl Steps for Printer {
///     fn attempt<'a>(&'a self, step: PendingStep<'a>) -> BoxFuture<'a, Result<Answer, CallError>> {
///         Box::pin(async move {
///             let attempt = step.attempt();
///             println!("{}: {} {}", attempt.place(), attempt.skill(), attempt.input);
///             step.run_here().await
///         })
///     }
/// }
/// ```
pub trait Steps: Send + Sync + 'static {
    /// Makes one attempt; [`PendingStep::run_here`] makes it in this process.
    ///
    /// An answer must match the schema of the skill's output; check answers from other processes with
    /// [`PendingStep::check`]. After a failure the pipeline may request another attempt, with the same place
    /// and the next number.
    fn attempt<'a>(&'a self, step: PendingStep<'a>) -> BoxFuture<'a, Result<Answer, CallError>>;

    /// Waits between two attempts, or for the time limit of a pipeline. The default uses the timer of this
    /// process.
    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}

/// One attempt of one step, or of one item of its list, that is about to be made.
pub struct PendingStep<'a> {
    frame: CallFrame<'a>,
    attempt: Attempt<'a>,
    bundle: Option<TypeId>,
}

impl<'a> PendingStep<'a> {
    pub(super) fn new(frame: CallFrame<'a>, attempt: Attempt<'a>, bundle: Option<TypeId>) -> Self {
        Self { frame, attempt, bundle }
    }

    /// Returns the attempt: its place in the run, its skill, its input, and its limits.
    pub fn attempt(&self) -> &Attempt<'a> {
        &self.attempt
    }

    /// Returns `true` if the skill is a pipeline.
    ///
    /// # Errors
    /// The function does not exist.
    pub fn is_pipeline(&self) -> Result<bool, CallError> {
        Ok(self.callee()?.is_pipeline())
    }

    /// Checks an output, which is JSON text.
    ///
    /// # Errors
    /// The output does not match the schema of the skill's output, or the function does not exist.
    pub fn check(&self, output: &str) -> Result<(), CallError> {
        let checked = self.callee()?.check_output(output);
        checked.map_err(|invalid| CallError::invalid_output(self.attempt.skill(), invalid))
    }

    /// Returns a key that identifies the work in its run, the same for each attempt: its place, its skill, a
    /// digest of the files of that skill and of all skills that it calls, and a digest of its input.
    ///
    /// # Errors
    /// The function does not exist.
    pub fn name(&self) -> Result<String, CallError> {
        let state = digest(&fingerprint(&self.frame.call.engine, self.callee()?.skill, self.bundle));
        let (place, skill) = (self.attempt.place(), self.attempt.skill());
        Ok(format!("{place} {skill} {state} {}", digest(self.attempt.input.as_bytes())))
    }

    /// Makes the attempt in this process.
    ///
    /// # Errors
    /// As any call.
    pub async fn run_here(&self) -> Result<Answer, CallError> {
        make(self.frame, self.attempt.clone(), self.bundle).await
    }

    /// Returns the trace context of the run's caller in another program, to pass it on to the step. A span of
    /// this process would not work, because this process may end before the step does.
    pub fn trace(&self) -> Option<&TraceContext> {
        self.frame.call.trace.as_ref()
    }

    fn callee(&self) -> Result<Function<'a>, CallError> {
        self.frame.call.engine.find(self.attempt.skill(), self.bundle)
    }

    fn report_damage(&self, reason: String) {
        self.frame.call.emit(|| Event::StepDamaged {
            call: self.frame.id,
            skill: self.frame.name(),
            step: self.attempt.step().to_owned(),
            reason,
        });
    }

    fn journal_failed(&self, source: Failure) -> CallError {
        CallError::Journal { skill: self.frame.name(), source }
    }
}

/// Makes an attempt of a step of the pipeline in `frame`, here or elsewhere.
pub(super) async fn perform<'a>(frame: CallFrame<'a>, attempt: Attempt<'a>) -> Result<Answer, CallError> {
    // In a typed call, the pipeline of a bundled skill calls skills of the bundle (SPEC 1.6).
    let skill = frame.function.skill;
    let bundle = frame.bundle.filter(|_| skill.is_bundled() && !skill.is_remote());
    let Some(steps) = frame.steps() else { return make(frame, attempt, bundle).await };
    let answer = steps.attempt(PendingStep::new(frame, attempt, bundle)).await?;
    frame.call.pay(answer.usage);
    Ok(answer)
}

/// Makes an attempt in this process.
async fn make<'a>(
    frame: CallFrame<'a>,
    attempt: Attempt<'a>,
    bundle: Option<TypeId>,
) -> Result<Answer, CallError> {
    let invocation = Invocation {
        name: attempt.skill(),
        depth: attempt.depth(),
        parent: Some(frame.id),
        timeout: attempt.timeout(),
        bundle,
        place: frame.place.map(|_| attempt.place()),
        input: attempt.input,
        rejected: attempt.rejected,
    };
    Ok(run(frame.call, invocation).await?.text.into())
}
