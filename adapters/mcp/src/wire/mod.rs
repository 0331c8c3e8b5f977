//! The transports: lines over a pair of streams, or streamable HTTP.

#[cfg(feature = "http")]
pub(crate) mod attendance;
mod envelope;
#[cfg(feature = "http")]
pub(crate) mod http;
mod line;
mod open;
#[cfg(feature = "http")]
mod sessions;
pub(crate) mod stdio;
mod stream;
