//! How messages come and go: lines over a pair of streams, or streamable HTTP (SPEC 11.4, 12.2).

mod envelope;
#[cfg(feature = "http")]
pub(crate) mod http;
mod line;
mod open;
#[cfg(feature = "http")]
pub(crate) mod presence;
#[cfg(feature = "http")]
mod sessions;
pub(crate) mod stdio;
mod stream;
