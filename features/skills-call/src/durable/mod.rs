//! The parts that every durable engine needs: the steps of a call as orders, a driver, and the wire format.
//!
//! ```text
//! call --Steps--> Desk --Order--> drive --begin--> the engine --Reply--> drive --> Desk --> call
//! ```
//!
//! A call whose [`steps`](super::CallOptions::steps) are a [`Desk`] makes no attempt itself. [`drive`] polls it until it
//! stands still, gives what it asked for to an [`Engine`] in the order of asking, and tells it one reply at a time, so that
//! what it asks for depends on nothing but the replies and their order. An engine that crashed gives the replies of its
//! record first; the call then asks what it asked before, and nothing of that is begun again.
//!
//! ```
//! use std::sync::Arc;
//! use std::task::{Context, Poll};
//! use skills_call::durable::{Desk, Engine, Order, Reply, Work, drive};
//! use skills_call::{CallOptions, Runner};
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
//!     let desk = Arc::new(Desk::default());
//!     let options = CallOptions::default().steps(desk.clone()).place("monday");
//!     let work = runner.call_text(name, input, options);
//!     match drive(&desk, &[], &mut Near(runner.clone()), work).await {
//!         Ok(result) => Reply::of(result),
//!         Err(_) => unreachable!("it never stops"),
//!     }
//! }
//! ```

mod desk;
mod drive;
mod elsewhere;
mod follow;
mod line;
mod progress;
mod servable;
mod state;

pub use desk::{Desk, Order};
pub use drive::{Engine, Stop, Work, drive};
pub use elsewhere::Elsewhere;
pub use follow::{follow, fresh_key};
pub use line::{Reply, Request};
pub use progress::{Progress, SharedProgress};
