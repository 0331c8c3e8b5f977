//! Gemini's `generateContent`, whole and streamed.

mod parts;
mod payload;

pub(crate) use self::parts::Parts;
pub(crate) use self::payload::payload;
