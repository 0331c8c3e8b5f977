//! OpenAI's responses, which its newer models are asked by.

mod items;
mod payload;

pub(crate) use self::items::Items;
pub(crate) use self::payload::payload;
