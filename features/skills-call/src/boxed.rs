//! Futures and errors on the heap, as the traits of calls and models return them.

use std::future::Future;
use std::pin::Pin;

/// A future that owns what it needs, on the heap.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The error of a host function: any error, or a text with `.into()`.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
