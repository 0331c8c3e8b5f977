//! The transports: lines over a pair of streams, or streamable HTTP.

#[cfg(feature = "http")]
pub(crate) mod attendance;
mod envelope;
#[cfg(feature = "http")]
pub(crate) mod http;
#[cfg(feature = "http")]
mod introduction;
mod line;
mod open;
pub(crate) mod presence;
#[cfg(feature = "http")]
mod sessions;
pub(crate) mod stdio;
mod stream;
