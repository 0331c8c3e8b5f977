//! The crate from outside, in one program, since linking each costs seconds.

mod shared;
mod tools;
mod typed_serde;
