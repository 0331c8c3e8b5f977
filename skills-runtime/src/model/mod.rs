//! Language models: what is asked of one and what it answers; adapters implement [`LanguageModel`] (SPEC 7.5).

mod answer;
mod request;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

pub use answer::{Answer, Delta, Finish, Usage};
use futures_core::Stream;
pub use request::{Message, Request, ResponseSchema, ToolCall, ToolDefinition};

use crate::call::BoxFuture;

/// A stream on the heap.
pub type BoxStream<'a, T> = Pin<Box<dyn Stream<Item = T> + Send + 'a>>;

/// A language model that takes messages and answers with text or calls of tools.
///
/// Dropping a future or a stream that it returned ends the request.
pub trait LanguageModel: Send + Sync + 'static {
    /// Returns the name of the model, as events and logs show it.
    fn name(&self) -> &str;

    /// Asks for a whole answer.
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>>;

    /// Asks for an answer in pieces; a model that cannot stream gives its whole answer as few of them.
    fn stream<'a>(&'a self, request: &'a Request) -> BoxStream<'a, Result<Delta, ModelError>>;
}

impl<M: LanguageModel + ?Sized> LanguageModel for Arc<M> {
    fn name(&self) -> &str {
        M::name(self)
    }

    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        M::complete(self, request)
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxStream<'a, Result<Delta, ModelError>> {
        M::stream(self, request)
    }
}

/// Why a model gave no answer.
#[derive(Debug)]
pub struct ModelError {
    /// What happened, in one line, without keys and other secrets.
    pub message: String,
    /// Whether the same request may succeed later: connection lost, 408, 429, 5xx.
    pub is_retryable: bool,
}

impl fmt::Display for ModelError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ModelError {}
