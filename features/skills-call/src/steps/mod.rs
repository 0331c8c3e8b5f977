//! Where the attempts of a pipeline's steps are made: here, here with a journal, or wherever an engine puts them.

mod journaled;

use std::time::Duration;

pub(super) use journaled::Journaled;

use super::pipeline::journal::{digest, fingerprint};
use super::pipeline::{Answer, Attempt};
use super::run::frame::CallFrame;
use super::run::{Invocation, run};
use super::{BoxFuture, CallError, Event, Failure, Function};
use crate::trace::TraceContext;

/// Makes the attempts of the steps of pipelines ([`CallOptions::steps`](super::CallOptions::steps); SPEC 19.1).
///
/// A pipeline decides which step runs when, with which input, how often, and what becomes of its result or failure. Whoever
/// implements this decides where one attempt is made and what is remembered of it. What a pipeline asks for depends on
/// nothing but the answers and the order in which it was given them: one that is given recorded answers again, in the
/// order of the record, asks the same again, and then goes on.
///
/// Steps of pipelines below the pipeline are asked for, too, where those run here ([`PendingStep::run_here`]); calls that a
/// function of the host makes are not.
///
/// ```
/// use skills_call::pipeline::Answer;
/// use skills_call::{BoxFuture, CallError, PendingStep, Steps};
///
/// /// Runs everything here, and says so.
/// struct Told;
///
/// impl Steps for Told {
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
    /// An answer must fit the schema of the skill's output, which [`PendingStep::check`] tells: what comes from elsewhere is
    /// to be checked. After a failure the pipeline may ask for another attempt, with the same place and the next number.
    fn attempt<'a>(&'a self, step: PendingStep<'a>) -> BoxFuture<'a, Result<Answer, CallError>>;

    /// Waits: between two attempts, and for the time limit of a pipeline. The default waits by the timer of this process.
    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(duration))
    }
}

/// One attempt of one step, or of one item of its list, that is about to be made.
pub struct PendingStep<'a> {
    frame: CallFrame<'a>,
    attempt: Attempt<'a>,
    is_typed: bool,
}

impl<'a> PendingStep<'a> {
    pub(super) fn new(frame: CallFrame<'a>, attempt: Attempt<'a>, is_typed: bool) -> Self {
        Self { frame, attempt, is_typed }
    }

    /// Returns the name of the attempt: its place in the run, its skill, its input and its limits.
    pub fn attempt(&self) -> &Attempt<'a> {
        &self.attempt
    }

    /// Returns `true` if the skill is a pipeline itself.
    ///
    /// # Errors
    /// The library has no such function.
    pub fn is_pipeline(&self) -> Result<bool, CallError> {
        Ok(self.callee()?.is_pipeline())
    }

    /// Checks an output, which is JSON text.
    ///
    /// # Errors
    /// The output does not fit the schema of the skill, or there is no such function.
    pub fn check(&self, output: &str) -> Result<(), CallError> {
        self.callee()?.check_output(output)
    }

    /// Returns what names the work among all of a run, whatever the attempt: its place, its skill, a digest of the files of
    /// that skill and of all that it calls, and one of its input.
    ///
    /// # Errors
    /// The library has no such function.
    pub fn name(&self) -> Result<String, CallError> {
        let state = digest(&fingerprint(&self.frame.call.engine, self.callee()?.skill, self.is_typed));
        let (place, skill) = (self.attempt.place(), self.attempt.skill());
        Ok(format!("{place} {skill} {state} {}", digest(self.attempt.input.as_bytes())))
    }

    /// Makes the attempt in this process.
    ///
    /// # Errors
    /// As any call.
    pub async fn run_here(&self) -> Result<Answer, CallError> {
        make(self.frame, self.attempt.clone(), self.is_typed).await
    }

    /// Returns where the caller of the run is in a trace of another program: what the step is to be told, too. It is no span
    /// of this process, which may be gone before the step ends.
    pub fn trace(&self) -> Option<&TraceContext> {
        self.frame.call.trace.as_ref()
    }

    fn callee(&self) -> Result<Function<'a>, CallError> {
        self.frame.call.engine.find(self.attempt.skill(), self.is_typed)
    }

    fn tell_damage(&self, reason: String) {
        self.frame.call.tell(|| Event::StepDamaged {
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

/// Makes an attempt of a step of the pipeline in `frame`, wherever its steps run.
pub(super) async fn perform<'a>(frame: CallFrame<'a>, attempt: Attempt<'a>) -> Result<Answer, CallError> {
    // The skill of the bundle is meant by the pipeline of a bundled skill, in a typed call (SPEC 1.6).
    let is_typed = frame.is_typed && frame.function.skill.is_bundled();
    let Some(steps) = frame.steps() else { return make(frame, attempt, is_typed).await };
    let answer = steps.attempt(PendingStep::new(frame, attempt, is_typed)).await?;
    frame.call.pay(answer.usage);
    Ok(answer)
}

/// Makes an attempt in this process.
async fn make<'a>(frame: CallFrame<'a>, attempt: Attempt<'a>, is_typed: bool) -> Result<Answer, CallError> {
    let invocation = Invocation {
        name: attempt.skill(),
        depth: attempt.depth(),
        parent: Some(frame.id),
        timeout: attempt.timeout(),
        is_typed,
        place: frame.place.map(|_| attempt.place()),
        input: attempt.input,
    };
    Ok(run(frame.call, invocation).await?.text.into())
}
