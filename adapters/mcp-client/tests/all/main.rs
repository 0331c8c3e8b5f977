//! A client against the server of this project, and against servers that misbehave (SPEC 22.1).
#![cfg(unix)]
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

mod hostile;
mod http;
#[cfg(feature = "oauth")]
mod oauth;
mod ours;
mod support;
mod tools;
