//! Anthropic's messages, and what speaks like them.

mod blocks;
mod payload;

pub(crate) use self::blocks::Blocks;
pub(crate) use self::payload::payload;
