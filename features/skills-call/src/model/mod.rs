//! Language models: requests and answers. Adapters implement [`LanguageModel`].

mod answer;
mod error;
mod message;
mod request;

use std::sync::Arc;

pub use answer::{Answer, Delta, Finish, Usage};
pub use error::{ModelError, ModelErrorKind};
pub use futures_util::stream::BoxStream;
use futures_util::{FutureExt, StreamExt, stream};
pub use message::{Media, MediaSource, Message, Part, Role, ToolResult};
pub use request::{Request, ResponseSchema, ToolCall, ToolDefinition};

use crate::host::BoxFuture;

/// A language model that takes messages and answers with text or tool calls.
///
/// Dropping a returned future or stream ends the request.
pub trait LanguageModel: Send + Sync + 'static {
    /// Returns the name of the model for events and logs.
    fn name(&self) -> &str;

    /// Returns the provider of the model for traces, as named by the OpenTelemetry conventions (`openai`,
    /// `anthropic`, `gcp.gemini`). The default is `None`.
    fn provider(&self) -> Option<&str> {
        None
    }

    /// Requests a whole answer.
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>>;

    /// Requests an answer in pieces. By default, calls [`complete`](Self::complete) and splits its answer.
    fn stream<'a>(&'a self, request: &'a Request) -> BoxStream<'a, Result<Delta, ModelError>> {
        Box::pin(self.complete(request).into_stream().flat_map(|answered| {
            let pieces = match answered {
                Ok(answer) => answer.into_deltas().into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            };
            stream::iter(pieces)
        }))
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
