//! A model that answers from a script, for tests of programs that call skills.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::stream;

use crate::BoxFuture;
use crate::model::{Answer, BoxStream, Delta, LanguageModel, ModelError, Request, ToolCall, Usage};

/// A model that gives the answers of a script in order, and records its requests.
///
/// Clones share the script, so a test can keep one and give another to the runner. A request after the end of
/// the script fails permanently.
///
/// ```
/// use skills_call::model::{LanguageModel, Message, Request};
/// use skills_call::testing::ScriptedModel;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let model = ScriptedModel::default().text("hello").error("overloaded", true);
/// let request = Request::new(vec![Message::user("hi")]);
/// assert_eq!(model.complete(&request).await.unwrap().text, "hello");
/// assert!(model.complete(&request).await.unwrap_err().is_retryable);
/// assert_eq!(model.requests(), [request.clone(), request]);
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ScriptedModel {
    script: Arc<Mutex<Script>>,
}

#[derive(Debug, Default)]
struct Script {
    /// The pieces of each answer; `None` for a request that is never answered.
    answers: VecDeque<Option<Vec<Result<Delta, ModelError>>>>,
    requests: Vec<Request>,
}

impl ScriptedModel {
    /// Adds a text answer with a usage of one input and one output token.
    pub fn text(self, text: impl Into<String>) -> Self {
        let usage = Usage { input_tokens: 1, output_tokens: 1 };
        self.answer(Answer::new(text).with_usage(usage))
    }

    /// Adds an answer. [`LanguageModel::stream`] returns it in pieces.
    pub fn answer(self, answer: Answer) -> Self {
        self.deltas(pieces(answer))
    }

    /// Adds an answer in pieces. [`LanguageModel::complete`] joins them. Without a [`Delta::End`], the
    /// connection is lost after the last piece.
    pub fn deltas(self, deltas: impl IntoIterator<Item = Delta>) -> Self {
        let deltas: Vec<Delta> = deltas.into_iter().collect();
        let is_whole = deltas.iter().any(|delta| matches!(delta, Delta::End { .. }));
        self.push(Some(
            deltas
                .into_iter()
                .map(Ok)
                .chain((!is_whole).then(|| Err(ModelError::new("the connection was lost").retryable())))
                .collect(),
        ))
    }

    /// Adds an answer that calls one tool.
    pub fn tool_call(self, id: &str, name: &str, arguments: impl Into<String>) -> Self {
        let call = ToolCall { id: id.to_owned(), name: name.to_owned(), arguments: arguments.into() };
        let usage = Usage { input_tokens: 1, output_tokens: 1 };
        self.answer(Answer::default().with_tool_calls(vec![call]).with_usage(usage))
    }

    /// Adds an error.
    pub fn error(self, message: impl Into<String>, is_retryable: bool) -> Self {
        self.fail(ModelError { is_retryable, ..ModelError::new(message) })
    }

    /// Adds an error with all its fields.
    pub fn fail(self, error: ModelError) -> Self {
        self.push(Some(vec![Err(error)]))
    }

    /// Adds a request that is never answered.
    pub fn silence(self) -> Self {
        self.push(None)
    }

    /// Returns the requests so far.
    pub fn requests(&self) -> Vec<Request> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).requests.clone()
    }

    fn push(self, answer: Option<Vec<Result<Delta, ModelError>>>) -> Self {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).answers.push_back(answer);
        self
    }

    fn next(&self, request: &Request) -> Option<Vec<Result<Delta, ModelError>>> {
        let mut script = self.script.lock().unwrap_or_else(PoisonError::into_inner);
        script.requests.push(request.clone());
        script
            .answers
            .pop_front()
            .unwrap_or_else(|| Some(vec![Err(ModelError::new("the script has no more answers"))]))
    }
}

impl LanguageModel for ScriptedModel {
    fn name(&self) -> &str {
        "scripted"
    }

    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        Box::pin(async move {
            match self.next(request) {
                Some(deltas) => deltas.into_iter().try_fold(Answer::default(), |mut answer, delta| {
                    answer.push(delta?);
                    Ok(answer)
                }),
                None => std::future::pending().await,
            }
        })
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxStream<'a, Result<Delta, ModelError>> {
        match self.next(request) {
            Some(deltas) => Box::pin(stream::iter(deltas)),
            None => Box::pin(stream::pending()),
        }
    }
}

/// Splits an answer into its text, word by word, and its calls.
fn pieces(mut answer: Answer) -> Vec<Delta> {
    let text = std::mem::take(&mut answer.text);
    let words = text.split_inclusive(' ').map(|word| Delta::Text(word.to_owned()));
    words.chain(answer.into_deltas()).collect()
}
