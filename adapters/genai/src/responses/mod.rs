//! OpenAI's Responses API, which is used for its newer models.

mod items;
mod payload;

pub(crate) use self::items::Items;
pub(crate) use self::payload::payload;
