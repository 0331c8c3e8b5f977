//! Tests of the server through the public API, in one program, since linking each costs seconds.

mod changes;
mod conformance;
mod documents;
mod ending;
mod example;
mod extension;
mod hostile;
mod http;
#[path = "../support/mod.rs"]
mod support;
mod tools;
mod with_skills;
