//! The crate from outside, in one program, since linking each costs seconds.

mod fixture;
mod model_signing;
mod signing;
