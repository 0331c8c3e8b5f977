//! Anthropic's messages, and what speaks like them.

mod blocks;
mod payload;
mod whole;

pub(crate) use self::blocks::Blocks;
pub(crate) use self::payload::payload;
pub(crate) use self::whole::answer;
