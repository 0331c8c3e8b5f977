//! The tables from outside, in one program, since linking each costs seconds.

mod arguments;
mod filter;
mod tables;
mod tools;
mod triggers;
