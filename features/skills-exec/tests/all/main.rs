//! The crate from outside, in one program, since linking each costs seconds. Tests that count the threads, descriptors or
//! subscribers of their process, or copy it, are programs of their own.

mod cache;
mod exec_host;
mod exec_outcome;
mod exec_sandbox;
#[cfg(unix)]
mod exec_skill;
mod exec_values;
#[cfg(unix)]
#[path = "../support/mod.rs"]
mod support;
