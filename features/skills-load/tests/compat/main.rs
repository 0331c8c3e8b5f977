//! The functions of other loaders, from outside: each function, and one program for each of five systems.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test without its files must fail")]

mod ai_sdk;
mod cogos;
mod compat;
mod omega;
mod open_evo;
mod pikuri;
#[path = "../planted/mod.rs"]
mod planted;
