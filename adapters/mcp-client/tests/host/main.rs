//! The host of the Skills extension against good and hostile servers (SPEC 22).
#![cfg(unix)]
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

mod attacks;
mod conformance;
mod extension;
mod kills;
mod network;
mod support;
