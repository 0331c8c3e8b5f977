//! Learns which permissions the programs of skills need, by observing their runs on Linux.
//!
//! ```text
//! Learner (an Executor) -> Recorder -> Access -> fold -> Observed
//! ```
//!
//! A [`Learner`] runs programs as `skills-exec` does. The kernel reports their system calls, and a `Recorder` turns
//! each into an `Access` to a path. Hosts are reported by the proxy of the run. At the end, `fold` turns the accesses
//! of all runs of a skill into the minimum [`Permissions`](skills_registry::Permissions), in the short form that a
//! person would write.
//!
//! Observation is not a security boundary: a program can hide a call from it. The sandbox of the run confines the
//! program as it does without an observer.

#![cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux can observe programs"))]

mod access;
#[cfg(target_os = "linux")]
mod call;
mod fold;
mod learner;
mod mentions;
mod observed;
mod place;
#[cfg(target_os = "linux")]
mod recorder;

pub use access::Right;
pub use learner::{Access, Learner};
pub use observed::{Observed, Use, print};
