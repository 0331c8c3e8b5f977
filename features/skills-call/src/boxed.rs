//! Boxed futures and errors, as returned by the traits of calls and models.

pub use futures_util::future::BoxFuture;

/// The error type of host functions: any error, or a text converted with `.into()`.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
