//! The transports: lines over a pair of streams, or streamable HTTP.

mod envelope;
pub(crate) mod http;
mod introduction;
mod line;
mod open;
pub(crate) mod presence;
mod sessions;
pub(crate) mod stdio;
mod stream;
