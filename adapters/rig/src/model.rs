//! Wraps a model of rig as a language model.

use std::collections::VecDeque;

use futures_util::{StreamExt, stream};
use rig_core::DynModel;
use rig_core::operation::Completion;
use rig_core::streaming::{CompletionStream, Item, StreamEvent};
use skills_call::BoxFuture;
use skills_call::model::{Answer, BoxStream, Delta, LanguageModel, ModelError, Request, ToolCall};

use crate::answer::{answer, call, error};
use crate::request::request;

/// A model of rig for skills.
///
/// Images are supported, other media are refused. Provider-specific content to send back, such as signed
/// reasoning, is not kept between answers. Errors only contain the status or the kind.
#[derive(Clone, Debug)]
pub struct Model {
    model: DynModel<Completion>,
    name: String,
}

impl Model {
    /// Wraps a model of rig, such as the result of `OpenAI::from_env()?.completion("gpt-5")`.
    pub fn new(model: impl Into<DynModel<Completion>>) -> Self {
        let model = model.into();
        let name = model.id().unwrap_or_else(|| model.name()).to_owned();
        Self { model, name }
    }
}

impl LanguageModel for Model {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete<'a>(&'a self, asked: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        Box::pin(async move { answer(self.model.call(request(asked)?).await.map_err(error)?) })
    }

    fn stream<'a>(&'a self, asked: &'a Request) -> BoxStream<'a, Result<Delta, ModelError>> {
        let opened = request(asked).and_then(|request| self.model.stream(request).map_err(error));
        match opened {
            Ok(reply) => {
                let reading = Reading { reply, deltas: VecDeque::new(), calls: 0 };
                stream::unfold(Some(reading), |reading| async { reading?.next().await }).boxed()
            }
            Err(failed) => stream::iter([Err(failed)]).boxed(),
        }
    }
}

/// A reply that is being read.
struct Reading {
    reply: CompletionStream,
    /// Deltas that are read but not returned yet.
    deltas: VecDeque<Delta>,
    /// The number of tool calls so far.
    calls: usize,
}

impl Reading {
    /// Reads the next piece. After the end or an error, there are no more pieces.
    async fn next(mut self) -> Option<(Result<Delta, ModelError>, Option<Self>)> {
        loop {
            if let Some(delta) = self.deltas.pop_front() {
                return Some((Ok(delta), Some(self)));
            }
            match self.reply.next().await {
                Some(Ok(Item::Event(event))) => self.read(event),
                Some(Ok(Item::Unknown(_))) => {}
                Some(Err(failed)) => return Some((Err(error(failed)), None)),
                None => break,
            }
        }
        let whole = self.reply.finish().await.map_err(error).and_then(answer);
        Some((whole.map(|Answer { finish, usage, .. }| Delta::End { finish, usage }), None))
    }

    fn read(&mut self, event: StreamEvent) {
        match event {
            StreamEvent::Text { text, .. } => self.deltas.push_back(Delta::Text(text)),
            StreamEvent::Reasoning { text, .. } => self.deltas.push_back(Delta::Reasoning(text)),
            // A call is returned only when it is complete, because rig reports the id of the call at its end.
            StreamEvent::End { content, .. } => {
                let Some(ToolCall { id, name, arguments }) = call(&content) else { return };
                let index = self.calls;
                self.calls += 1;
                self.deltas.push_back(Delta::ToolCallStart { index, id, name });
                self.deltas.push_back(Delta::ToolCallArguments { index, text: arguments });
            }
            _ => {}
        }
    }
}
