//! Language models: what is asked of one and what it answers; adapters implement [`LanguageModel`] (SPEC 7.5).

mod answer;
mod error;
mod message;
mod request;

use std::pin::Pin;
use std::sync::Arc;

pub use answer::{Answer, Delta, Finish, Usage};
pub use error::ModelError;
use futures_core::Stream;
use futures_util::{FutureExt, StreamExt, stream};
pub use message::{Media, MediaSource, Message, Part, Role, ToolResult};
pub use request::{Request, ResponseSchema, ToolCall, ToolDefinition};

use crate::boxed::BoxFuture;

/// A stream on the heap.
pub type BoxStream<'a, T> = Pin<Box<dyn Stream<Item = T> + Send + 'a>>;

/// A language model that takes messages and answers with text or calls of tools.
///
/// Dropping a future or a stream that it returned ends the request.
pub trait LanguageModel: Send + Sync + 'static {
    /// Returns the name of the model, as events and logs show it.
    fn name(&self) -> &str;

    /// Returns who provides the model, by the names of the OpenTelemetry conventions (`openai`, `anthropic`, `gcp.gemini`),
    /// as traces show it (SPEC 20.1). The default does not know.
    fn provider(&self) -> Option<&str> {
        None
    }

    /// Asks for a whole answer.
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>>;

    /// Asks for an answer in pieces. A model that does not say how gives its whole answer, as the fewest that there are.
    fn stream<'a>(&'a self, request: &'a Request) -> BoxStream<'a, Result<Delta, ModelError>> {
        let pieces = |answered: Result<Answer, ModelError>| {
            let pieces = match answered {
                Ok(answer) => answer.into_deltas().into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            };
            stream::iter(pieces)
        };
        Box::pin(self.complete(request).into_stream().flat_map(pieces))
    }
}

impl<M: LanguageModel + ?Sized> LanguageModel for Arc<M> {
    fn name(&self) -> &str {
        M::name(self)
    }

    fn provider(&self) -> Option<&str> {
        M::provider(self)
    }

    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        M::complete(self, request)
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxStream<'a, Result<Delta, ModelError>> {
        M::stream(self, request)
    }
}
