//! Futures and errors on the heap, as the traits of calls and models return them.

use std::future::Future;
use std::pin::Pin;

/// A future that owns what it needs, on the heap.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a function of a host fails with: any error, or a text made by `.into()`.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
