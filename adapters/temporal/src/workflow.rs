//! The workflow of every run, and the activity for skills that are not pipelines.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use skills_call::durable::{Reply, Request};
use skills_call::{CallError, CallOptions, Cancellation, ErrorKind, Runner};
use skills_durable::{Order, SharedProgress, Stop, drive, ordered};
use temporalio_macros::{workflow, workflow_methods};
use temporalio_sdk::activities::{ActivityContext, ActivityError, activities};
use temporalio_sdk::{
    ApplicationFailure, ContinueAsNewOptions, LocalActivityOptions, WorkflowContext, WorkflowContextView,
    WorkflowResult, WorkflowTermination,
};

use crate::flow::{End, Flow};
use crate::json::{Begin, JsonText, Memory, Output};
use crate::settings::Settings;
use crate::{MAX_PAYLOAD, too_large};

/// An active run.
#[workflow]
#[derive(Default)]
pub(crate) struct Pipeline {
    /// Always set. The macro requires `Default`, although a factory creates the value.
    pub(crate) served: Option<(Runner, Settings)>,
    pub(crate) progress: SharedProgress,
}

#[workflow_methods]
impl Pipeline {
    #[run(name = "skill")]
    pub(crate) async fn run(ctx: &mut WorkflowContext<Self>, begin: Begin) -> WorkflowResult<Output> {
        let Some((runner, settings)) = ctx.state(|state| state.served.clone()) else {
            return Err(WorkflowTermination::Evicted);
        };
        let Begin { request, memory } = begin;
        let is_step = request.place.is_some();
        let function = runner.skills().function(&request.skill);
        if !function.is_some_and(|function| function.is_pipeline()) {
            let reply = leaf(ctx, &settings, request.clone()).await?;
            return finish(&request.skill, is_step, reply);
        }
        let state = match runner.server_access().state(&request.skill) {
            Ok(state) => state,
            Err(error) => return finish(&request.skill, is_step, Reply::from_result(Err(error))),
        };
        let begun = match &memory {
            Some(memory) => memory.state.clone(),
            None => {
                let options =
                    LocalActivityOptions::builder().start_to_close_timeout(Duration::from_secs(10)).build();
                ctx.execute_local_activity(Leaf::state, JsonText(state.clone()), options).await?.0
            }
        };
        if begun != state {
            ctx.force_task_fail(std::io::Error::other(request.changed()));
            std::future::pending::<()>().await;
        }
        let place =
            request.place.clone().unwrap_or_else(|| format!("{}/{}", ctx.workflow_id(), request.skill));
        let placed = Request { place: Some(place), ..request.clone() };
        let mut flow = Flow::new(ctx, &settings, begun, memory.as_ref());
        let (queue, work) = ordered(&placed, &runner, ctx.state(|state| state.progress.clone()));
        let replies = memory.map(|memory| memory.replies).unwrap_or_default();
        match drive(&queue, &replies, &mut flow, work).await {
            Ok(result) => finish(&request.skill, is_step, Reply::from_result(result)),
            Err(Stop::Engine(End::Cancelled)) => Err(WorkflowTermination::cancelled()),
            Err(Stop::Engine(End::Full)) => {
                let memory: Option<Memory> = Some(std::mem::take(&mut flow.memory));
                drop(flow);
                ctx.continue_as_new(Begin { request, memory }, ContinueAsNewOptions::default())?;
                Err(WorkflowTermination::Evicted)
            }
            Err(Stop::Changed { number }) => {
                ctx.force_task_fail(std::io::Error::other(format!(
                    "the record has a reply without an order: {number}"
                )));
                std::future::pending().await
            }
        }
    }

    /// Returns the progress of the run: the state of each step that was started.
    #[query]
    pub(crate) fn progress(&self, _: &WorkflowContextView) -> JsonText {
        JsonText(self.progress.with(|progress| progress.to_json()))
    }
}

/// Calls a skill that is not a pipeline.
async fn leaf(
    ctx: &WorkflowContext<Pipeline>,
    settings: &Settings,
    request: Request,
) -> WorkflowResult<Reply> {
    let place = request.place.clone().unwrap_or_else(|| format!("{}/{}", ctx.workflow_id(), request.skill));
    let request = Request { place: Some(place), is_pipeline: false, ..request };
    let mut flow = Flow::new(ctx, settings, String::new(), None);
    let mut work = skills_durable::Engine::begin(&mut flow, 0, Order::Attempt(request));
    let mut cancelled = pin!(ctx.cancelled());
    // If both are ready, the result is preferred.
    futures_util::future::poll_fn(|context| {
        if let std::task::Poll::Ready(reply) = work.as_mut().poll(context) {
            return std::task::Poll::Ready(Ok(reply));
        }
        cancelled.as_mut().poll(context).map(|_| Err(WorkflowTermination::cancelled()))
    })
    .await
}

/// Ends a run: a step returns its reply to its pipeline, any other run has an output or fails.
fn finish(skill: &str, is_step: bool, reply: Reply) -> WorkflowResult<Output> {
    let reply = sized(skill, reply);
    if is_step {
        return Ok(Output { text: reply.to_json(), beside: String::new() });
    }
    let beside = reply.beside();
    match reply.answer(skill) {
        Ok(answer) => Ok(Output { text: answer.text, beside }),
        Err(error) => Err(failed(&error, beside)),
    }
}

/// Ends a run with a failure: a text, a kind, and all details.
fn failed(error: &CallError, details: String) -> WorkflowTermination {
    let failure = ApplicationFailure::builder(std::io::Error::other(error.to_string()))
        .type_name(error.kind().as_str().to_owned())
        .details(JsonText(details))
        .non_retryable(true)
        .build();
    WorkflowTermination::failed_application(failure)
}

/// Replaces an output that the server would refuse as too large.
fn sized(skill: &str, reply: Reply) -> Reply {
    match &reply {
        Reply::Output { text, .. } if text.len() > MAX_PAYLOAD => {
            Reply::lost(skill, ErrorKind::Failed, &too_large("its output", text.len()))
        }
        _ => reply,
    }
}

/// Runs the skills that are not pipelines.
pub(crate) struct Leaf {
    pub(crate) runner: Runner,
    pub(crate) settings: Settings,
}

#[activities]
impl Leaf {
    #[activity(name = "skill")]
    pub(crate) async fn call(
        self: Arc<Self>,
        ctx: ActivityContext,
        JsonText(text): JsonText,
    ) -> Result<JsonText, ActivityError> {
        let Some(request) = Request::from_json(&text) else {
            return Ok(JsonText(Reply::lost("?", ErrorKind::Failed, "a call that names no skill").to_json()));
        };
        let cancellation = Cancellation::default();
        let options = CallOptions::default().cancellation(cancellation.clone());
        // A panic would be retried forever.
        let mut work = pin!(AssertUnwindSafe(request.run(&self.runner, options)).catch_unwind());
        let mut ticks = tokio::time::interval(self.settings.beat());
        let reply = loop {
            tokio::select! {
                reply = &mut work => break reply,
                _ = ticks.tick() => ctx.record_heartbeat(()).await?,
                () = ctx.cancelled() => {
                    cancellation.cancel();
                    // The server cancels running work: functions of the host are notified and then dropped.
                    let _ = work.await;
                    return Err(ActivityError::cancelled());
                }
            }
        };
        let reply = reply.unwrap_or_else(|_| Reply::lost(&request.skill, ErrorKind::Failed, "it panicked"));
        Ok(JsonText(sized(&request.skill, reply).to_json()))
    }

    /// Records the state of a skill.
    #[activity(name = "state")]
    pub(crate) async fn state(
        self: Arc<Self>,
        _ctx: ActivityContext,
        state: JsonText,
    ) -> Result<JsonText, ActivityError> {
        Ok(state)
    }
}
