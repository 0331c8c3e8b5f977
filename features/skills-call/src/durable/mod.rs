//! Calls in other processes: the messages to workers, and the skills that a worker can serve. The crate
//! `skills-durable` drives such calls on an engine that survives crashes.

mod remote;
mod wire;

pub use remote::RemoteCalls;
pub use wire::{Reply, Request};
