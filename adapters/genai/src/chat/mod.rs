//! Chat completions, the protocol of OpenAI and of everything that speaks like it.

mod payload;
mod pieces;

pub(crate) use self::payload::payload;
pub(crate) use self::pieces::Pieces;
