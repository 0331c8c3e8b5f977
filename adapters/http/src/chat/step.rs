//! Streams one answer of the model to the client.

use std::collections::HashSet;

use futures_util::StreamExt;
use serde_json::Value;
use skills_call::model::{
    Delta, Finish, LanguageModel, ModelError, ModelErrorKind, Request, ToolCall, Usage,
};
use tokio::sync::mpsc::Sender;

use super::frame::{Block, StreamPart};
use super::tools::is_dynamic;

/// The result of a step.
#[derive(Debug)]
pub(super) struct StepResult {
    pub(super) text: String,
    pub(super) calls: Vec<ToolCall>,
    pub(super) finish: Finish,
    pub(super) usage: Usage,
}

/// Streams one answer. `ids` are the ids of all calls so far, `number` is the number of the step.
pub(super) async fn run(
    model: &dyn LanguageModel,
    request: &Request,
    number: usize,
    ids: &mut HashSet<String>,
    out: &Sender<StreamPart>,
) -> Result<StepResult, ModelError> {
    let mut writer =
        StepWriter { number, ids, out, open: None, blocks: 0, text: String::new(), calls: Vec::new() };
    let mut deltas = skills_call::trace::stream(model, request);
    while let Some(delta) = deltas.next().await {
        match delta? {
            Delta::Text(delta) => writer.write(Block::Text, delta).await,
            Delta::Reasoning(delta) => writer.write(Block::Reasoning, delta).await,
            Delta::ToolCallStart { index, id, name } => writer.begin(index, id, name).await,
            Delta::ToolCallArguments { index, text } => writer.extend(index, text).await,
            Delta::End { finish, usage } => return Ok(writer.end(finish, usage).await),
            _ => {}
        }
    }
    Err(ModelError::new("the answer of the model was cut off").with_kind(ModelErrorKind::Unavailable))
}

struct StepWriter<'a> {
    number: usize,
    ids: &'a mut HashSet<String>,
    out: &'a Sender<StreamPart>,
    open: Option<(Block, String)>,
    blocks: usize,
    text: String,
    // By the index from the model.
    calls: Vec<(usize, ToolCall)>,
}

impl StepWriter<'_> {
    /// Sends a frame. Errors are ignored: if the client disconnects, this future is dropped too.
    async fn send(&self, frame: StreamPart) {
        drop(self.out.send(frame).await);
    }

    async fn write(&mut self, block: Block, delta: String) {
        if delta.is_empty() {
            return;
        }
        if self.open.as_ref().is_none_or(|(open, _)| *open != block) {
            self.close().await;
            let id = format!("{}-{}", self.number, self.blocks);
            self.blocks += 1;
            self.open = Some((block, id.clone()));
            self.send(StreamPart::BlockStart { block, id }).await;
        }
        let id = self.open.as_ref().map(|(_, id)| id.clone()).unwrap_or_default();
        if block == Block::Text {
            self.text.push_str(&delta);
        }
        self.send(StreamPart::BlockDelta { block, id, delta }).await;
    }

    async fn close(&mut self) {
        if let Some((block, id)) = self.open.take() {
            self.send(StreamPart::BlockEnd { block, id }).await;
        }
    }

    /// Begins a call. Some models send no ids or repeat them, but clients need unique ids.
    async fn begin(&mut self, index: usize, id: String, name: String) {
        self.close().await;
        let mut id = if id.is_empty() { format!("call_{}_{index}", self.number) } else { id };
        while !self.ids.insert(id.clone()) {
            id.push_str(&format!("_{}", self.number));
        }
        self.calls.push((index, ToolCall { id: id.clone(), name: name.clone(), arguments: String::new() }));
        let is_dynamic = is_dynamic(&name);
        self.send(StreamPart::InputStart { call: id, tool: name, is_dynamic }).await;
    }

    async fn extend(&mut self, index: usize, delta: String) {
        if let Some((_, call)) = self.calls.iter_mut().find(|(of, _)| *of == index) {
            call.arguments.push_str(&delta);
            let call = call.id.clone();
            self.send(StreamPart::InputDelta { call, delta }).await;
        }
    }

    async fn end(mut self, finish: Finish, usage: Usage) -> StepResult {
        self.close().await;
        let calls: Vec<ToolCall> =
            std::mem::take(&mut self.calls).into_iter().map(|(_, call)| call).collect();
        for call in &calls {
            let input = arguments(&call.arguments);
            let is_dynamic = is_dynamic(&call.name);
            let (call, tool) = (call.id.clone(), call.name.clone());
            self.send(StreamPart::InputAvailable { call, tool, input, is_dynamic }).await;
        }
        StepResult { text: self.text, calls, finish, usage }
    }
}

/// Returns the arguments of a call for the client: JSON, or the model's text if it is not JSON.
pub(super) fn arguments(text: &str) -> Value {
    match text.trim() {
        "" => Value::Object(serde_json::Map::new()),
        text => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())),
    }
}
