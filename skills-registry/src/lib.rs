//! The tables a bundle of skills compiles to, the handles that read them, and the texts a model sees.

mod duration;
mod nearest;

pub use duration::{parse_timeout, write_timeout};
pub use nearest::nearest;
