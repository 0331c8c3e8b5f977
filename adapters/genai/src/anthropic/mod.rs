//! Anthropic's Messages API, and compatible servers.

mod blocks;
mod payload;

pub(crate) use self::blocks::Blocks;
pub(crate) use self::payload::payload;
