//! Tests of templates through the public API, in one program, since linking each costs seconds.

mod deep;
mod evaluate;
mod generator;
mod grammar;
mod oracle;
mod random;
