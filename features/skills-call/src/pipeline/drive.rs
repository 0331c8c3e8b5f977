//! Runs a pipeline inside the future of its call. Attempts and waits run concurrently; its
//! [`Steps`](crate::Steps) decide where.

use std::any::TypeId;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::future::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};
use skills_template::pipeline::Pipeline;

use super::{
    Answer, Attempt, Caller, Key, NotAsked, PipelineEvent, PipelineLimits, PipelineRun, Question, has_effects,
};
use crate::run::CallFrame;
use crate::run::{Invocation, Produced};
use crate::{BoxFuture, CallError, Event, PendingStep};

/// The maximum number of answers that are handled in a row.
const BURST: usize = 64;

/// Runs the steps of a pipeline and builds the output from their results. Nothing is spawned, so dropping the
/// call drops every step.
pub(crate) async fn run<'a>(frame: CallFrame<'a>, pipeline: &'a Pipeline) -> Result<Produced, CallError> {
    let runner = &frame.call.runner;
    let limits = PipelineLimits { concurrency: runner.concurrency, templates: runner.limits };
    let (skill, place) = (frame.function.skill.name(), frame.place.unwrap_or_default());
    let around = Caller { skill, place, depth: frame.depth };
    let run = PipelineRun::new(around, pipeline, frame.input, limits, &|name: &str| {
        has_effects(&runner.layers, name)
    })?;
    let mut drive = Drive { frame, run, running: FuturesUnordered::new() };
    let mut count = 0;
    while let Some((key, answer)) = poll_fn(|context| drive.poll(context)).await {
        // This cannot fail: the run keeps a question until it is answered or the run is over, and `emit` drops all
        // running questions as soon as the run is over.
        let _: Result<(), NotAsked> = match answer {
            Some(result) => drive.run.finish(key, result),
            None => drive.run.wake(key),
        };
        drive.emit();
        count += 1;
        if count % BURST == 0 {
            pause().await;
        }
    }
    let text = drive.run.take_output().unwrap_or_else(|| Err(CallError::cancelled(skill)))?;
    Ok(Produced { text, steps: drive.run.records(), ..Produced::default() })
}

/// The key of a question with its answer; the end of a wait has no result.
type Answered = (Key, Option<Result<Answer, CallError>>);

struct RunningQuestion<'a> {
    step: &'a str,
    work: BoxFuture<'a, Answered>,
}

impl<'a> RunningQuestion<'a> {
    fn new(frame: CallFrame<'a>, question: Question<'a>) -> Self {
        match question {
            Question::Attempt(attempt) => {
                let (key, step) = (attempt.key, attempt.step());
                let frame = CallFrame { id: frame.id.for_step(key.step), ..frame };
                let work = Box::pin(async move { (key, Some(perform_attempt(frame, attempt).await)) });
                Self { step, work }
            }
            Question::Wait { key, step, duration } => {
                let wait = async move {
                    frame.sleep(duration).await;
                    (key, None)
                };
                Self { step, work: Box::pin(wait) }
            }
        }
    }
}

impl Future for RunningQuestion<'_> {
    type Output = Answered;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Answered> {
        self.work.as_mut().poll(context)
    }
}

/// Makes an attempt of a step of the pipeline in `frame`, here or elsewhere.
async fn perform_attempt<'a>(frame: CallFrame<'a>, attempt: Attempt<'a>) -> Result<Answer, CallError> {
    // In a typed call, the pipeline of a bundled skill calls skills of the bundle (SPEC 1.6).
    let skill = frame.function.skill;
    let bundle = frame.bundle.filter(|_| skill.is_bundled() && !skill.is_remote());
    let Some(steps) = frame.steps() else { return make_attempt(frame, attempt, bundle).await };
    let answer = steps.attempt(PendingStep::new(frame, attempt, bundle)).await?;
    frame.call.pay(answer.usage);
    Ok(answer)
}

/// Makes an attempt in this process.
pub(crate) async fn make_attempt<'a>(
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
    Ok(crate::run::run(frame.call, invocation).await?.text.into())
}

/// Yields to other tasks. Steps that never wait would otherwise block the thread and the cancellation of the
/// call.
async fn pause() {
    let mut is_over = false;
    poll_fn(|context| {
        if std::mem::replace(&mut is_over, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// A run with its running questions and its observer. If it is dropped before its end, its steps end as
/// cancelled.
struct Drive<'a> {
    frame: CallFrame<'a>,
    run: PipelineRun<'a>,
    running: FuturesUnordered<RunningQuestion<'a>>,
}

impl Drive<'_> {
    /// Waits for the next answer; returns `None` if the run is over.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<Answered>> {
        // Questions that have waited come first. Otherwise questions that never wait could starve them.
        if let Poll::Ready(Some(answered)) = self.running.poll_next_unpin(context) {
            return Poll::Ready(Some(answered));
        }
        while let Some(question) = self.run.poll() {
            self.emit();
            let mut open = RunningQuestion::new(self.frame, question);
            // A question that can be answered at once is answered before the next one begins.
            match open.poll_unpin(context) {
                Poll::Ready(answered) => return Poll::Ready(Some(answered)),
                Poll::Pending => self.running.push(open),
            }
        }
        // A step that was skipped or that failed before its first question has events, but no question.
        self.emit();
        if self.run.is_over() {
            return Poll::Ready(None);
        }
        self.running.poll_next_unpin(context)
    }

    /// Reports the events of the run. If the run is over, drops its running questions.
    fn emit(&mut self) {
        let CallFrame { call: state, id: call, .. } = self.frame;
        // Only after the end: the questions of a step are dropped just before the end of the step is reported, so that
        // the calls inside of a step end before the step.
        let mut obsolete: Vec<RunningQuestion<'_>> = Vec::new();
        if self.run.is_over() {
            obsolete.extend(std::mem::take(&mut self.running));
        }
        while let Some(event) = self.run.poll_event() {
            if let PipelineEvent::Ended { step, .. } = &event {
                obsolete.retain(|question| question.step != *step);
            }
            state.emit(|| match event {
                PipelineEvent::Started { step } => {
                    Event::StepStart { call, skill: self.frame.name(), step: step.to_owned() }
                }
                PipelineEvent::Item { step, done, total } => {
                    Event::StepItem { call, skill: self.frame.name(), step: step.to_owned(), done, total }
                }
                PipelineEvent::Skipped { step } => {
                    Event::StepSkipped { call, skill: self.frame.name(), step: step.to_owned() }
                }
                PipelineEvent::Ended { step, failure } => {
                    let (error, kind) = failure.unzip();
                    Event::StepEnd { call, skill: self.frame.name(), step: step.to_owned(), error, kind }
                }
            });
        }
    }
}

impl Drop for Drive<'_> {
    fn drop(&mut self) {
        self.run.cancel();
        self.emit();
    }
}
