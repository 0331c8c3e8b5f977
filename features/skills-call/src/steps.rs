//! Makes the attempts of pipeline steps: in this process, in this process with a journal, or in an engine.

use std::any::TypeId;
use std::sync::Arc;
use std::time::Duration;

use super::pipeline::journal::{digest, fingerprint};
use super::pipeline::{Answer, Attempt, make_attempt};
use super::run::CallFrame;
use super::{BoxFuture, CallError, Event, Failure, Function, Saved, StepStore};
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
        let state = digest(&fingerprint(&self.frame.call.runner, self.callee()?.skill, self.bundle));
        let (place, skill) = (self.attempt.place(), self.attempt.skill());
        Ok(format!("{place} {skill} {state} {}", digest(self.attempt.input.as_bytes())))
    }

    /// Makes the attempt in this process.
    ///
    /// # Errors
    /// As any call.
    pub async fn run_here(&self) -> Result<Answer, CallError> {
        make_attempt(self.frame, self.attempt.clone(), self.bundle).await
    }

    /// Returns the trace context of the run's caller in another program, to pass it on to the step. A span of
    /// this process would not work, because this process may end before the step does.
    pub fn trace(&self) -> Option<&TraceContext> {
        self.frame.call.trace.as_ref()
    }

    fn callee(&self) -> Result<Function<'a>, CallError> {
        self.frame.call.runner.find(self.attempt.skill(), self.bundle)
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

/// The steps of one run in a store.
pub(crate) struct Journaled {
    pub(crate) store: Arc<dyn StepStore>,
    pub(crate) run: String,
}

impl Journaled {
    /// Returns the saved output if it is undamaged and still matches the schema; otherwise reports why not.
    async fn load(&self, step: &PendingStep<'_>, name: &str) -> Result<Option<String>, CallError> {
        let found = self.store.load(&self.run, name).await;
        let reason = match found.map_err(|source| step.journal_failed(source))? {
            Saved::Nothing => return Ok(None),
            Saved::Damaged(reason) => reason,
            Saved::Output(text) => match step.check(&text) {
                Ok(()) => return Ok(Some(text)),
                Err(CallError::InvalidOutput { invalid, .. }) => {
                    format!("it does not fit the output's schema: {invalid}")
                }
                Err(error) => return Err(error),
            },
        };
        step.report_damage(reason);
        Ok(None)
    }
}

impl Steps for Journaled {
    fn attempt<'a>(&'a self, step: PendingStep<'a>) -> BoxFuture<'a, Result<Answer, CallError>> {
        Box::pin(async move {
            let name = step.name()?;
            if step.attempt().key.attempt == 0
                && let Some(text) = self.load(&step, &name).await?
            {
                return Ok(Answer { is_resumed: true, ..text.into() });
            }
            let answer = step.run_here().await?;
            let saved = self.store.save(&self.run, &name, &answer.text).await;
            saved.map_err(|source| step.journal_failed(source))?;
            Ok(answer)
        })
    }
}
