//! A pipeline inside a workflow: its orders become activities, child workflows and timers.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use futures_util::future::pending;
use skills_runtime::call::ErrorKind;
use skills_runtime::call::durable::{Engine, Order, Reply, Request, Work};
use temporalio_sdk::{
    ActivityExecutionError, ActivityOptions, ChildWorkflowOptions, ParentClosePolicy, TimerOptions,
    WorkflowCancellationToken, WorkflowContext,
};

use crate::json::{Begin, Json, Memory};
use crate::worker::{FOREVER, Settings};
use crate::workflow::{Leaf, Pipeline};
use crate::{MAX_PAYLOAD, too_large};

/// Why a run leaves its history.
pub(crate) enum End {
    Cancelled,
    /// The history is long, and what is recorded goes into a new one.
    Full,
}

/// The orders of one run.
pub(crate) struct Flow<'w> {
    ctx: &'w WorkflowContext<Pipeline>,
    settings: &'w Settings,
    cancelled: Pin<Box<dyn Future<Output = Option<String>> + 'w>>,
    tokens: BTreeMap<u64, WorkflowCancellationToken>,
    /// The attempts that are under way.
    open: BTreeSet<u64>,
    pub(crate) memory: Memory,
    /// How large what is recorded is, as text.
    size: usize,
    /// The waits that were under way in the history before this one.
    left: BTreeMap<u64, u64>,
    /// How many records are from there.
    old: usize,
}

impl<'w> Flow<'w> {
    pub(crate) fn new(
        ctx: &'w WorkflowContext<Pipeline>,
        settings: &'w Settings,
        state: String,
        memory: Option<&Memory>,
    ) -> Self {
        let left = memory.map(|memory| memory.waits.clone()).unwrap_or_default();
        let old = memory.map_or(0, |memory| memory.replies.len());
        let memory = Memory { state, ..Memory::default() };
        let (tokens, open) = (BTreeMap::new(), BTreeSet::new());
        Self { ctx, settings, cancelled: Box::pin(ctx.cancelled()), tokens, open, memory, size: 0, left, old }
    }

    /// Tells whether nothing more is to be begun in this history: it is long, and what is recorded fits into the next.
    fn is_full(&self) -> bool {
        let is_long = match self.settings.history {
            0 => self.ctx.continue_as_new_suggested(),
            events => self.ctx.history_length() > events,
        };
        is_long && self.size < MAX_PAYLOAD && self.memory.replies.len() > self.old
    }

    fn wait(&mut self, number: u64, duration: Duration, token: WorkflowCancellationToken) -> Work<'w> {
        let now = self.ctx.workflow_time().and_then(|now| now.duration_since(SystemTime::UNIX_EPOCH).ok());
        let now = now.map_or(0, millis);
        let over = self.left.remove(&number).unwrap_or_else(|| now.saturating_add(millis(duration)));
        self.memory.waits.insert(number, over);
        let duration = Duration::from_millis(over.saturating_sub(now).max(1)).min(FOREVER);
        let timer = self.ctx.timer(TimerOptions::builder(duration).cancellation_token(token).build());
        Box::pin(async move {
            // A timer ends otherwise only when nobody waits for it.
            let _ = timer.await;
            Reply::Over
        })
    }

    fn attempt(&mut self, number: u64, request: Request, token: WorkflowCancellationToken) -> Work<'w> {
        let text = request.to_json();
        let skill = request.skill.clone();
        if text.len() > MAX_PAYLOAD {
            let why = too_large("its input", text.len());
            return Box::pin(async move { Reply::lost(&skill, ErrorKind::Failed, &why) });
        }
        self.open.insert(number);
        let (ctx, settings) = (self.ctx, self.settings);
        let place = request.place.clone().unwrap_or_default();
        let queue = settings.queue(&skill);
        if request.is_pipeline {
            let options = ChildWorkflowOptions::builder()
                // A pipeline that is tried again has the same place.
                .workflow_id(format!("{place}.{number}"))
                .task_queue(queue)
                .task_timeout(settings.task_timeout)
                .parent_close_policy(ParentClosePolicy::RequestCancel)
                .cancellation_token(token)
                .build();
            let started = ctx.start_child_workflow(Pipeline::run, Begin { request, memory: None }, options);
            return Box::pin(async move {
                let result = match started.await {
                    Ok(started) => started.result().await.map_err(|error| error.to_string()),
                    Err(error) => Err(error.to_string()),
                };
                read(&skill, result.map_err(|why| (ErrorKind::Failed, why)))
            });
        }
        let options = ActivityOptions::with_start_to_close_timeout(FOREVER)
            .heartbeat_timeout(settings.heartbeat)
            .maybe_task_queue(Some(queue).filter(|queue| queue != ctx.task_queue()))
            .summary(place)
            .retry_policy(settings.retries())
            .cancellation_token(token)
            .build();
        let activity = ctx.execute_activity(Leaf::call, Json(text), options);
        Box::pin(async move { read(&skill, activity.await.map_err(|error| lost(&error))) })
    }
}

impl<'w> Engine for Flow<'w> {
    type Work = Work<'w>;
    type End = End;

    fn begin(&mut self, number: u64, order: Order) -> Work<'w> {
        if self.is_full() && matches!(order, Order::Attempt(_)) {
            // It is asked for again in the next history.
            return Box::pin(pending());
        }
        let token = self.ctx.cancellation_token().child_token();
        self.tokens.insert(number, token.clone());
        match order {
            Order::Wait(duration) => self.wait(number, duration, token),
            Order::Attempt(request) => self.attempt(number, request, token),
        }
    }

    fn give_up(&mut self, number: u64) {
        self.open.remove(&number);
        self.memory.waits.remove(&number);
        if let Some(token) = self.tokens.remove(&number) {
            token.cancel();
        }
    }

    fn record(&mut self, number: u64, reply: &Reply) {
        self.tokens.remove(&number);
        self.open.remove(&number);
        self.memory.waits.remove(&number);
        self.size += reply.to_json().len() + 24;
        self.memory.replies.push((number, reply.clone()));
    }

    fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<End> {
        if self.cancelled.as_mut().poll(context).is_ready() {
            // What goes on after that is told, and nothing is begun any more.
            return Poll::Ready(End::Cancelled);
        }
        if self.open.is_empty() && self.is_full() {
            for (_, token) in std::mem::take(&mut self.tokens) {
                token.cancel();
            }
            return Poll::Ready(End::Full);
        }
        Poll::Pending
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Reads what an attempt came to.
fn read(skill: &str, result: Result<Json, (ErrorKind, String)>) -> Reply {
    let lost = |kind, why: &str| Reply::lost(skill, kind, why);
    match result {
        Ok(Json(text)) => Reply::from_json(&text)
            .unwrap_or_else(|| lost(ErrorKind::Failed, "a worker answered what is no reply")),
        Err((kind, why)) => lost(kind, &why),
    }
}

/// Says why an activity has no result, which is not that the skill failed.
pub(crate) fn lost(error: &ActivityExecutionError) -> (ErrorKind, String) {
    let kind = match error {
        ActivityExecutionError::Cancelled(_) => ErrorKind::Cancelled,
        _ => ErrorKind::Failed,
    };
    (kind, error.to_string())
}
