//! Runs a pipeline inside a workflow. Its orders are run as service calls and sleeps, and replies arrive in
//! the order of the journal.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::future::poll_fn;
use restate_sdk::context::macro_support::SealedDurableFuture as _;
use restate_sdk::context::{CallFuture, RequestTarget};
use restate_sdk::endpoint::ContextInternal;
use restate_sdk::errors::TerminalError;
use restate_sdk_shared_core::NotificationHandle;
use skills_call::durable::{Reply, Request};
use skills_call::{BoxFuture, ErrorKind};
use skills_durable::{Engine, Order, SharedProgress};

use crate::line::{JsonText, PROGRESS, headers, kind};

/// The next action for an active order: wait for its reply, or cancel it.
enum Act {
    Take,
    Cancel,
}

type Finish<'w> = Box<dyn FnOnce(Act) -> BoxFuture<'w, Result<Reply, TerminalError>> + Send + 'w>;

/// The work on one order. Jobs run one after the other, since all futures of a context read the
/// same stream.
type Job<'w> = BoxFuture<'w, Result<Option<(u64, Reply)>, TerminalError>>;

/// The orders of one run.
pub(crate) struct Flow<'w> {
    ctx: &'w ContextInternal,
    prefix: &'w str,
    open: Arc<Mutex<OpenNotifications<'w>>>,
    /// The reply that has arrived.
    ready: Arc<Mutex<Option<(u64, Reply)>>>,
    job: Option<Job<'w>>,
    cancels: VecDeque<Finish<'w>>,
    progress: SharedProgress,
    published: String,
}

type OpenNotifications<'w> = BTreeMap<u64, (NotificationHandle, Finish<'w>)>;

impl<'w> Flow<'w> {
    pub(crate) fn new(ctx: &'w ContextInternal, prefix: &'w str, progress: SharedProgress) -> Self {
        Self {
            ctx,
            prefix,
            open: Arc::default(),
            ready: Arc::default(),
            job: None,
            cancels: VecDeque::new(),
            progress,
            published: String::new(),
        }
    }

    /// Records the progress of the run if it has changed.
    fn publish(&mut self) {
        let now = self.progress.with(|progress| progress.to_json());
        if now != self.published {
            self.ctx.set(PROGRESS, JsonText::from(now.clone()));
            self.published = now;
        }
    }

    /// Finishes a run whose call has ended: records that, and cancels orders that are no longer needed.
    pub(crate) async fn settle(mut self) -> Result<(), TerminalError> {
        self.publish();
        for cancel in std::mem::take(&mut self.cancels) {
            cancel(Act::Cancel).await?;
        }
        Ok(())
    }
}

impl<'w> Engine for Flow<'w> {
    type Work = BoxFuture<'w, Reply>;
    type End = TerminalError;

    fn begin(&mut self, number: u64, order: Order) -> Self::Work {
        let one: (NotificationHandle, Finish<'w>) = match order {
            Order::Attempt(request) => {
                let skill = request.skill.clone();
                let (target, headers) = address(self.prefix, &request, number);
                let input = JsonText::from(request.input);
                let call = self.ctx.call::<JsonText, JsonText>(target, None, None, None, headers, input);
                let handle = call.handle();
                let finish = |act| async move {
                    match act {
                        Act::Take => Ok(read(&skill, call.await)),
                        Act::Cancel => {
                            call.invocation_handle().await?.cancel();
                            Ok(Reply::Over)
                        }
                    }
                };
                (handle, Box::new(|act| finish(act).boxed()))
            }
            Order::Wait(duration) => {
                let sleep = self.ctx.sleep(duration);
                let handle = sleep.handle();
                let finish = |act| async move {
                    if matches!(act, Act::Take) {
                        sleep.await?;
                    }
                    Ok(Reply::Over)
                };
                (handle, Box::new(|act| finish(act).boxed()))
            }
        };
        lock(&self.open).insert(number, one);
        let ready = Arc::clone(&self.ready);
        poll_fn(move |_| match lock(&ready).take_if(|(at, _)| *at == number) {
            Some((_, reply)) => Poll::Ready(reply),
            None => Poll::Pending,
        })
        .boxed()
    }

    fn give_up(&mut self, number: u64) {
        if let Some((_, finish)) = lock(&self.open).remove(&number) {
            self.cancels.push_back(finish);
        }
    }

    /// Waits for the next entry of the journal, and stores it.
    fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<TerminalError> {
        self.publish();
        loop {
            let mut job = match self.job.take() {
                Some(job) => job,
                None => self.next(),
            };
            match job.poll_unpin(context) {
                Poll::Pending => {
                    self.job = Some(job);
                    return Poll::Pending;
                }
                Poll::Ready(Err(error)) => return Poll::Ready(error),
                Poll::Ready(Ok(None)) => {}
                Poll::Ready(Ok(Some(reply))) => {
                    *lock(&self.ready) = Some(reply);
                    return Poll::Pending;
                }
            }
        }
    }
}

impl<'w> Flow<'w> {
    /// Creates the next job: to cancel an abandoned order, or else to wait for the first reply.
    fn next(&mut self) -> Job<'w> {
        if let Some(cancel) = self.cancels.pop_front() {
            return async move { cancel(Act::Cancel).await.map(|_| None) }.boxed();
        }
        let handles: Vec<NotificationHandle> = lock(&self.open).values().map(|(handle, _)| *handle).collect();
        if handles.is_empty() {
            let error = TerminalError::new("the pipeline waits for something that is not a step");
            return std::future::ready(Err(error)).boxed();
        }
        let (ctx, open) = (self.ctx, Arc::clone(&self.open));
        async move {
            let place = ctx.select(handles).await?;
            let taken = {
                let mut open = lock(&open);
                let number = open.keys().nth(place).copied();
                number.and_then(|number| Some((number, open.remove(&number)?.1)))
            };
            let Some((number, finish)) = taken else { return Ok(None) };
            Ok(Some((number, finish(Act::Take).await?)))
        }
        .boxed()
    }
}

/// Returns the target of a step, and its headers.
fn address(prefix: &str, request: &Request, number: u64) -> (RequestTarget, Vec<(String, String)>) {
    let service = format!("{prefix}{}", request.skill);
    let target = if request.is_pipeline {
        // A retry of a pipeline has the same place, but it is a separate run.
        let place = request.place.clone().unwrap_or_default();
        RequestTarget::workflow(service, format!("{place}.{number}"), "run")
    } else {
        RequestTarget::service(service, "call")
    };
    (target, headers(request))
}

/// Reads the result of a step. A failure of the call itself comes from the server: the step was cancelled, or
/// is not registered.
fn read(skill: &str, result: Result<JsonText, TerminalError>) -> Reply {
    match result {
        Ok(text) => Reply::read(skill, &text.text()),
        Err(error) => match kind(error.code()) {
            ErrorKind::Cancelled => Reply::lost(skill, ErrorKind::Cancelled, ""),
            _ => Reply::lost(skill, ErrorKind::Failed, error.message()),
        },
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
