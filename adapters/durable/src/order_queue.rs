//! Queues the steps of one call as orders until the driver begins them.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Poll, Waker};
use std::time::Duration;

use skills_call::durable::{Reply, Request};
use skills_call::pipeline::Answer;
use skills_call::{BoxFuture, CallError, CallOptions, Called, PendingStep, Runner, Steps};

use crate::SharedProgress;

/// A request to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Make an attempt of a step, in any process that can run its skill.
    Attempt(Request),
    /// Wait; the reply is [`Reply::Over`].
    Wait(Duration),
}

/// Queues the orders of one call; [`drive`](crate::drive()) empties the queue.
#[derive(Debug, Default)]
pub struct OrderQueue {
    orders: Mutex<VecDeque<(Order, ReplySlot)>>,
}

/// The slot for the reply to an order. It exists while the call waits for the reply.
#[derive(Clone, Debug)]
pub(crate) struct ReplySlot(Weak<Mutex<Slot>>);

#[derive(Debug, Default)]
struct Slot {
    reply: Option<Reply>,
    waker: Option<Waker>,
}

impl ReplySlot {
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.strong_count() > 0
    }

    pub(crate) fn answer(&self, reply: Reply) {
        let Some(slot) = self.0.upgrade() else { return };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.reply = Some(reply);
        if let Some(waker) = slot.waker.take() {
            waker.wake();
        }
    }
}

impl OrderQueue {
    /// Removes and returns the orders that were queued since the last call, oldest first.
    pub(crate) fn take(&self) -> VecDeque<(Order, ReplySlot)> {
        std::mem::take(&mut self.orders.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Queues an order and waits for its reply.
    fn order(&self, order: Order) -> impl Future<Output = Reply> + Send + use<> {
        let slot = Arc::new(Mutex::new(Slot::default()));
        let ticket = ReplySlot(Arc::downgrade(&slot));
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).push_back((order, ticket));
        poll_fn(move |context| {
            let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            match slot.reply.take() {
                Some(reply) => Poll::Ready(reply),
                None => {
                    slot.waker = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        })
    }
}

/// Calls a pipeline whose steps are queued on the returned queue; pass the call and the queue to
/// [`drive`](crate::drive()). `progress` records the state of the steps.
pub fn ordered<'r>(
    request: &Request,
    runner: &'r Runner,
    progress: SharedProgress,
) -> (Arc<OrderQueue>, impl Future<Output = Result<Called<String>, CallError>> + use<'r>) {
    let queue = Arc::new(OrderQueue::default());
    let options = CallOptions::default().steps(Arc::<OrderQueue>::clone(&queue));
    let options = options.on_event(move |event| progress.with(|progress| progress.note(event)));
    let (skill, input, options) = (request.skill.clone(), request.input.clone(), request.options(options));
    (queue, async move { runner.call_text(&skill, input, options).await })
}

impl Steps for OrderQueue {
    fn attempt<'a>(&'a self, step: PendingStep<'a>) -> BoxFuture<'a, Result<Answer, CallError>> {
        Box::pin(async move {
            let request = Request::from_step(&step)?;
            let answer = self.order(Order::Attempt(request)).await.answer(step.attempt().skill())?;
            step.check(&answer.text)?;
            Ok(answer)
        })
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'_, ()> {
        let reply = self.order(Order::Wait(duration));
        Box::pin(async move {
            reply.await;
        })
    }
}
