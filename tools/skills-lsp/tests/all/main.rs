//! The server from outside, in one program, since linking each costs seconds.

mod client;
mod edits;
mod session;
mod typing;
mod views;
