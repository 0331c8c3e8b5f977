//! Gemini's `generateContent`, whole and streamed.

mod parts;
mod payload;
mod whole;

pub(crate) use self::parts::Parts;
pub(crate) use self::payload::payload;
pub(crate) use self::whole::answer;
