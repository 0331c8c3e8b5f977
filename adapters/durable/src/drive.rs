//! Drives a call whose steps an engine runs: polls the call until it waits, then delivers one reply.

use std::collections::BTreeMap;
use std::fmt;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use skills_call::durable::Reply;

use crate::order_queue::{Order, OrderQueue, ReplySlot};

/// A running order, for engines whose futures stay on one thread.
pub type Work<'w> = Pin<Box<dyn Future<Output = Reply> + 'w>>;

/// Carries out the orders of a call, for example a workflow of an engine that survives crashes.
pub trait Engine {
    /// A running order.
    type Work: Future<Output = Reply> + Unpin;

    /// The reason to stop before the call has an output: it was cancelled, or it continues in another
    /// process.
    type End;

    /// Begins an order. Orders are numbered from 0 in the order in which the call makes them. An order whose
    /// reply is recorded is not begun.
    ///
    /// The driver polls the returned futures in the order of their numbers.
    fn begin(&mut self, number: u64, order: Order) -> Self::Work;

    /// Abandons an order whose reply is no longer needed. The driver then drops its future. The default does
    /// nothing.
    fn give_up(&mut self, _number: u64) {}

    /// Records a reply right before the call receives it. Replies that were read from the record are passed
    /// too. The default does nothing.
    fn record(&mut self, _number: u64, _reply: &Reply) {}

    /// Returns `Ready` if the driver must stop. It is called each time the call waits, before the running
    /// orders are polled.
    fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<Self::End>;
}

/// The reason why a driven call has no result yet.
#[derive(Debug, PartialEq, Eq)]
pub enum Stop<E> {
    /// The engine stopped it.
    Engine(E),
    /// The record has a reply to an order that the call does not make, so it was written by another version
    /// of the skill.
    Changed {
        /// The number of the order.
        number: u64,
    },
}

impl<E: fmt::Display> fmt::Display for Stop<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(end) => end.fmt(f),
            Self::Changed { number } => {
                write!(f, "the record has a reply to order {number}, which the call does not make")
            }
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Stop<E> {}

/// Remembers whether a future was woken since the last check.
#[derive(Default)]
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}

/// An order without a reply. It has no future if its reply is recorded.
struct Waiting<W> {
    work: Option<W>,
    ticket: ReplySlot,
}

/// Drives a call with an engine; `queue` must be the [`steps`](skills_call::CallOptions::steps) of the call. The
/// call first receives the recorded replies in their order, and then the replies of the engine. If several
/// replies are ready, the reply to the oldest order comes first.
///
/// Only the driver's own waker polls the call, so the call must not wait for anything except its steps: it
/// has no cancellation, and its pipelines do not run functions in this process.
///
/// # Errors
/// The engine stopped the call, or the record belongs to another version of the skill.
pub async fn drive<T, E: Engine>(
    queue: &OrderQueue,
    recorded: &[(u64, Reply)],
    engine: &mut E,
    work: impl Future<Output = T>,
) -> Result<T, Stop<E::End>> {
    let mut work = pin!(work);
    let flag = Arc::new(Flag::default());
    let waker = Waker::from(Arc::clone(&flag));
    let known: std::collections::BTreeSet<u64> = recorded.iter().map(|(number, _)| *number).collect();
    let mut recorded = recorded.iter();
    let mut waiting: BTreeMap<u64, Waiting<E::Work>> = BTreeMap::new();
    let mut count = 0;
    poll_fn(|context| {
        loop {
            if let Poll::Ready(output) = poll_still(&mut work, &flag, &waker) {
                waiting.keys().for_each(|number| engine.give_up(*number));
                return Poll::Ready(Ok(output));
            }
            waiting.retain(|number, one| {
                let is_wanted = one.ticket.is_wanted();
                if !is_wanted {
                    engine.give_up(*number);
                }
                is_wanted
            });
            for (order, ticket) in queue.take() {
                if ticket.is_wanted() {
                    let work = (!known.contains(&count)).then(|| engine.begin(count, order));
                    waiting.insert(count, Waiting { work, ticket });
                }
                count += 1;
            }
            let (number, reply) = match recorded.next() {
                Some((number, reply)) => (*number, reply.clone()),
                None => {
                    if let Poll::Ready(end) = engine.poll_end(context) {
                        return Poll::Ready(Err(Stop::Engine(end)));
                    }
                    let replied = waiting.iter_mut().find_map(|(number, one)| {
                        match Pin::new(one.work.as_mut()?).poll(context) {
                            Poll::Ready(reply) => Some((*number, reply)),
                            Poll::Pending => None,
                        }
                    });
                    let Some(replied) = replied else { return Poll::Pending };
                    replied
                }
            };
            let Some(Waiting { ticket, .. }) = waiting.remove(&number) else {
                return Poll::Ready(Err(Stop::Changed { number }));
            };
            engine.record(number, &reply);
            ticket.answer(reply);
        }
    })
    .await
}

/// Polls a future until it waits for something.
fn poll_still<T>(work: &mut Pin<&mut impl Future<Output = T>>, flag: &Arc<Flag>, waker: &Waker) -> Poll<T> {
    loop {
        flag.0.store(false, Ordering::Release);
        match work.as_mut().poll(&mut Context::from_waker(waker)) {
            Poll::Pending if flag.0.load(Ordering::Acquire) => {}
            polled => return polled,
        }
    }
}
