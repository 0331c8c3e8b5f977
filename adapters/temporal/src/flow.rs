//! Runs a pipeline inside a workflow. Its orders are run as activities, child workflows and timers.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use futures_util::future::{pending, poll_fn};
use skills_call::ErrorKind;
use skills_call::durable::{Reply, Request};
use skills_durable::{Engine, Order, Work};
use temporalio_sdk::{
    ActivityExecutionError, ActivityOptions, ChildWorkflowOptions, ParentClosePolicy, TimerOptions,
    WorkflowCancellationToken, WorkflowContext,
};

use crate::json::{Begin, JsonText, Memory};
use crate::settings::{FOREVER, Settings};
use crate::workflow::{Leaf, Pipeline};
use crate::{MAX_PAYLOAD, too_large};

/// The reason why a run leaves its history.
pub(crate) enum End {
    Cancelled,
    /// The history is long, so the recorded replies are moved to a new history.
    Full,
}

/// The maximum number of input bytes in one workflow task, because the server ends a run that sends 4 MB at
/// once.
const MAX_TASK: usize = 3_000_000;

/// An attempt that waits for the next workflow task, with the channel for its work.
struct WaitingAttempt<'w> {
    number: u64,
    request: Request,
    token: WorkflowCancellationToken,
    work: Rc<RefCell<Option<Work<'w>>>>,
}

/// The orders of one run.
pub(crate) struct Flow<'w> {
    ctx: &'w WorkflowContext<Pipeline>,
    settings: &'w Settings,
    cancelled: Pin<Box<dyn Future<Output = Option<String>> + 'w>>,
    tokens: BTreeMap<u64, WorkflowCancellationToken>,
    /// The active attempts.
    open: BTreeSet<u64>,
    pub(crate) memory: Memory,
    /// The size of the recorded replies as text.
    size: usize,
    /// The waits that were active in the previous history.
    left: BTreeMap<u64, u64>,
    /// How many replies come from the previous history.
    old: usize,
    held: VecDeque<WaitingAttempt<'w>>,
    /// The current workflow task, identified by the length of the history, and the number of input bytes it
    /// sends.
    task: (u32, usize),
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
        let cancelled = Box::pin(ctx.cancelled());
        let (held, task, size) = (VecDeque::new(), (0, 0), 0);
        Self { ctx, settings, cancelled, tokens, open, memory, size, left, old, held, task }
    }

    /// Returns `true` if no more work should start in this history: it is long, and the recorded replies fit
    /// the next one.
    fn is_full(&self) -> bool {
        let is_long = match self.settings.history {
            0 => self.ctx.continue_as_new_suggested(),
            events => self.ctx.history_length() > events,
        };
        is_long && self.size < MAX_PAYLOAD && self.memory.replies.len() > self.old
    }

    /// Returns `true` if this many bytes can be sent in the current workflow task, and counts them.
    fn send(&mut self, bytes: usize) -> bool {
        let now = self.ctx.history_length();
        if self.task.0 != now {
            self.task = (now, 0);
        }
        let may = self.task.1 == 0 || self.task.1 + bytes <= MAX_TASK;
        self.task.1 += if may { bytes } else { 0 };
        may
    }

    /// Starts held attempts in order, as far as the current workflow task allows.
    fn release(&mut self) {
        while let Some(first) = self.held.front() {
            let bytes = first.request.input.len();
            if self.is_full() || !self.send(bytes) {
                return;
            }
            if let Some(WaitingAttempt { number, request, token, work }) = self.held.pop_front() {
                let begun = self.attempt(number, request, token);
                *work.borrow_mut() = Some(begun);
            }
        }
    }

    /// Holds an attempt until a later workflow task.
    fn keep(&mut self, number: u64, request: Request, token: WorkflowCancellationToken) -> Work<'w> {
        let work: Rc<RefCell<Option<Work<'w>>>> = Rc::default();
        self.held.push_back(WaitingAttempt { number, request, token, work: Rc::clone(&work) });
        Box::pin(poll_fn(move |context| match work.borrow_mut().as_mut() {
            Some(work) => work.as_mut().poll(context),
            None => Poll::Pending,
        }))
    }

    fn wait(&mut self, number: u64, duration: Duration, token: WorkflowCancellationToken) -> Work<'w> {
        let now = self.ctx.workflow_time().and_then(|now| now.duration_since(SystemTime::UNIX_EPOCH).ok());
        let now = now.map_or(0, millis);
        let over = self.left.remove(&number).unwrap_or_else(|| now.saturating_add(millis(duration)));
        self.memory.waits.insert(number, over);
        if over <= now {
            // The wait ended before this history began. A new timer would be reported only after all replies
            // that the history starts with.
            return Box::pin(std::future::ready(Reply::Over));
        }
        let duration = Duration::from_millis(over.saturating_sub(now).max(1)).min(FOREVER);
        let timer = self.ctx.timer(TimerOptions::builder(duration).cancellation_token(token).build());
        Box::pin(async move {
            // Otherwise, a timer ends only if it is cancelled.
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
                // A retry of a pipeline has the same place.
                .workflow_id(format!("{place}.{number}"))
                .task_queue(queue)
                .task_timeout(settings.task_timeout)
                .parent_close_policy(ParentClosePolicy::RequestCancel)
                .cancellation_token(token)
                .build();
            let started = ctx.start_child_workflow(Pipeline::run, Begin { request, memory: None }, options);
            return Box::pin(async move {
                let result = match started.await {
                    Ok(started) => started
                        .result()
                        .await
                        .map(|output| JsonText(output.text))
                        .map_err(|error| error.to_string()),
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
        let activity = ctx.execute_activity(Leaf::call, JsonText(text), options);
        Box::pin(async move { read(&skill, activity.await.map_err(|error| lost(&error))) })
    }
}

impl<'w> Engine for Flow<'w> {
    type Work = Work<'w>;
    type End = End;

    fn begin(&mut self, number: u64, order: Order) -> Work<'w> {
        if self.is_full() && matches!(order, Order::Attempt(_)) {
            // The attempt is requested again in the next history.
            return Box::pin(pending());
        }
        let token = self.ctx.cancellation_token().child_token();
        self.tokens.insert(number, token.clone());
        match order {
            Order::Wait(duration) => self.wait(number, duration, token),
            // Held attempts are sent first.
            Order::Attempt(request) if !self.held.is_empty() || !self.send(request.input.len()) => {
                self.keep(number, request, token)
            }
            Order::Attempt(request) => self.attempt(number, request, token),
        }
    }

    fn give_up(&mut self, number: u64) {
        self.open.remove(&number);
        self.held.retain(|held| held.number != number);
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
            // Later events are ignored, and no more work starts.
            return Poll::Ready(End::Cancelled);
        }
        if self.open.is_empty() && self.is_full() {
            for (_, token) in std::mem::take(&mut self.tokens) {
                token.cancel();
            }
            return Poll::Ready(End::Full);
        }
        self.release();
        Poll::Pending
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Reads the result of an attempt.
fn read(skill: &str, result: Result<JsonText, (ErrorKind, String)>) -> Reply {
    match result {
        Ok(JsonText(text)) => Reply::read(skill, &text),
        Err((kind, why)) => Reply::lost(skill, kind, &why),
    }
}

/// Returns the reason why an activity has no result, other than a failure of the skill.
pub(crate) fn lost(error: &ActivityExecutionError) -> (ErrorKind, String) {
    let kind = match error {
        ActivityExecutionError::Cancelled(_) => ErrorKind::Cancelled,
        _ => ErrorKind::Failed,
    };
    (kind, error.to_string())
}
