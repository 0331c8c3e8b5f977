//! OpenAI's Chat Completions API, and compatible servers.

mod payload;
mod pieces;

pub(crate) use self::payload::payload;
pub(crate) use self::pieces::Pieces;
