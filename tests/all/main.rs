//! The facade from outside, in one program, since linking each costs seconds.

mod build_script;
#[cfg(feature = "call")]
mod call;
#[cfg(feature = "call")]
mod chinese;
#[cfg(feature = "commands")]
mod commands;
#[cfg(feature = "call")]
pub mod derive; // its public struct must be reachable
mod embed_cli;
mod features;
mod formats;
mod packages;
mod published;
mod readme;
mod tools;
mod typed;
