//! Drives the calls of `skills-call` on durable engines: a queue of steps, a driver, and the progress of a run.
//!
//! ```text
//! call --Steps--> OrderQueue --Order--> drive --begin--> the engine --Reply--> drive --> OrderQueue --> call
//! ```
//!
//! A call with a [`OrderQueue`] as its [`steps`](skills_call::CallOptions::steps) makes no attempt itself. [`drive`]
//! polls the call until it waits, passes its orders to an [`Engine`] in the order in which they were made,
//! and delivers one reply at a time. The orders therefore depend only on the replies and their order. After a
//! crash, the engine first delivers the recorded replies. The call then makes the same orders again, and none
//! of the recorded orders is begun a second time.
//!
//! ```
//! use std::sync::Arc;
//! use std::task::{Context, Poll};
//! use skills_call::durable::Reply;
//! use skills_call::{CallOptions, Runner};
//! use skills_durable::{Engine, Order, OrderQueue, Work, drive};
//!
//! /// Makes each attempt as a separate call, and waits with a timer, as a worker would.
//! struct Near(Runner);
//!
//! impl Engine for Near {
//!     type Work = Work<'static>;
//!     type End = std::convert::Infallible;
//!
//!     fn begin(&mut self, _number: u64, order: Order) -> Work<'static> {
//!         let runner = self.0.clone();
//!         Box::pin(async move {
//!             match order {
//!                 Order::Attempt(request) => request.run(&runner, CallOptions::default()).await,
//!                 Order::Wait(duration) => {
//!                     tokio::time::sleep(duration).await;
//!                     Reply::Over
//!                 }
//!             }
//!         })
//!     }
//!
//!     fn poll_end(&mut self, _: &mut Context<'_>) -> Poll<Self::End> {
//!         Poll::Pending
//!     }
//! }
//!
//! async fn call(runner: &Runner, name: &str, input: &str) -> Reply {
//!     let queue = Arc::new(OrderQueue::default());
//!     let options = CallOptions::default().steps(queue.clone()).place("monday");
//!     let work = runner.call_text(name, input, options);
//!     match drive(&queue, &[], &mut Near(runner.clone()), work).await {
//!         Ok(result) => Reply::from_result(result),
//!         Err(_) => unreachable!("it never stops"),
//!     }
//! }
//! ```

#![deny(missing_docs)]

#[cfg(feature = "command")]
pub mod command;
mod drive;
mod follow;
mod order_queue;
mod progress;
#[cfg(feature = "testing")]
#[doc(hidden)]
pub mod testing;

pub use drive::{Engine, Stop, Work, drive};
pub use follow::{follow, fresh_key};
pub use order_queue::{Order, OrderQueue, ordered};
pub use progress::{Progress, SharedProgress};
