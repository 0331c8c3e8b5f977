//! Tests of the tables through the public API, in one program, since linking each costs seconds.

mod arguments;
mod filter;
mod named;
mod search;
mod tables;
mod tools;
mod triggers;
