//! The tables a bundle of skills compiles to, the handles that read them, and the texts a model sees.

mod nearest;

pub use nearest::nearest;
