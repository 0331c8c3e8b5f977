//! Tests of the server through the public API, in one program, since linking each costs seconds.

mod ai_sdk;
mod chat;
mod clients;
mod curl;
mod dawdling;
mod ending;
mod events;
mod offers;
mod page;
mod routes;
#[cfg(unix)]
mod stuck;
#[path = "../support/mod.rs"]
mod support;
