//! The crate from outside, in one program, since linking each costs seconds. Tests that count the threads, descriptors or
//! subscribers of their process are programs of their own.

mod cache;
#[cfg(target_os = "linux")]
mod exec_confined;
#[cfg(target_os = "linux")]
mod exec_escape;
mod exec_host;
#[cfg(target_os = "linux")]
mod exec_left;
mod exec_outcome;
mod exec_sandbox;
#[cfg(unix)]
mod exec_skill;
#[cfg(target_os = "linux")]
mod exec_swap;
#[cfg(target_os = "linux")]
mod exec_tree;
mod exec_values;
#[cfg(unix)]
#[path = "../support/mod.rs"]
mod support;
