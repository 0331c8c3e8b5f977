//! Boxed futures and errors, as returned by the traits of calls and models.

use std::future::Future;
use std::pin::Pin;

/// A boxed future that owns its data.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The error type of host functions: any error, or a text converted with `.into()`.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
