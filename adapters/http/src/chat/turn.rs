//! A turn of a chat: the model answers, its tools run, and it answers again, at most ten times.

use std::collections::HashSet;
use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::{Value, json};
use skills_call::model::{Finish, LanguageModel, Message, Request, ToolCall, ToolResult, Usage};
use skills_call::trace::TraceContext;
use skills_call::{Runner, ToolAnswer};
use skills_exec::RunId;
use tokio::sync::mpsc::Sender;

use super::frame::StreamPart;
use super::step;
use super::tools::Tools;
use crate::shared::Shared;
use skills_serve::{Share, unparsed};

/// The maximum number of answers of a model in one turn.
const STEPS: usize = 10;

/// One turn, ready to run.
pub(super) struct Turn {
    model: Arc<dyn LanguageModel>,
    request: Request,
    tools: Tools,
    /// The memory of all messages.
    share: Share,
    out: Sender<StreamPart>,
}

impl Turn {
    pub(super) fn new(
        shared: &Arc<Shared>,
        runner: Runner,
        model: Arc<dyn LanguageModel>,
        (history, share): (Vec<Message>, Share),
        client: Option<TraceContext>,
        out: Sender<StreamPart>,
    ) -> Self {
        let tools = Tools::new(Arc::clone(shared), runner, &history, client);
        let mut messages = Vec::with_capacity(history.len() + 1);
        let instructions =
            [shared.instructions.clone().unwrap_or_default(), tools.catalog(&history)].concat();
        if !instructions.is_empty() {
            messages.push(Message::system(instructions));
        }
        messages.extend(history);
        let request = Request::new(messages).with_tools(tools.definitions());
        Self { model, request, tools, share, out }
    }

    /// Runs the turn and sends all its parts.
    pub(super) async fn run(mut self) {
        self.send(StreamPart::Start { message: format!("msg_{}", RunId::fresh()) }).await;
        let mut ids = HashSet::new();
        let mut usage = Usage::default();
        let mut finish = Finish::Stop;
        for number in 0..STEPS {
            self.send(StreamPart::StartStep).await;
            let step = match step::run(&*self.model, &self.request, number, &mut ids, &self.out).await {
                Ok(step) => step,
                // A provider's message may contain keys, so it is only logged.
                Err(reason) => {
                    tracing::error!(target: "skills", "the model of a chat failed: {reason}");
                    let text = "the model failed; the server's log says why".to_owned();
                    return self.send(StreamPart::Error { text }).await;
                }
            };
            usage += step.usage;
            finish = step.finish;
            let answers = join_all(step.calls.iter().map(|call| self.answer(call))).await;
            let is_done = step.calls.is_empty();
            let contents = answers.iter().flat_map(Message::tool_results).map(|result| result.content.len());
            let bytes = step.text.len() + contents.sum::<usize>();
            if !is_done && !self.share.grow(unparsed(bytes)) {
                let text = "the server is busy; send the message again later".to_owned();
                return self.send(StreamPart::Error { text }).await;
            }
            self.request.messages.push(Message::assistant(step.text, step.calls));
            self.request.messages.extend(answers);
            // Tools that a search found are available from now on.
            self.request.tools = self.tools.definitions();
            self.send(StreamPart::FinishStep).await;
            if is_done {
                break;
            }
        }
        let usage = json!({"inputTokens": usage.input_tokens, "outputTokens": usage.output_tokens});
        self.send(StreamPart::Finish { reason: reason(finish), usage }).await;
    }

    /// Runs the tool of a call, sends its result to the client, and returns it for the model.
    async fn answer(&self, call: &ToolCall) -> Message {
        let is_dynamic = super::tools::is_dynamic(&call.name);
        let ToolAnswer { text, is_error, output, .. } = self.tools.call(call, &self.out).await;
        let id = call.id.clone();
        self.send(if is_error {
            StreamPart::OutputError { call: id, text: text.clone(), is_dynamic }
        } else {
            let output = output.unwrap_or_else(|| Value::String(text.clone()));
            StreamPart::Output { call: id, output, is_preliminary: false, is_dynamic }
        })
        .await;
        Message::tool(ToolResult::new(&call.id, &call.name, text).with_error(is_error))
    }

    async fn send(&self, frame: StreamPart) {
        drop(self.out.send(frame).await);
    }
}

fn reason(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop => "stop",
        Finish::ToolCalls => "tool-calls",
        Finish::Length => "length",
        Finish::ContentFilter => "content-filter",
        _ => "other",
    }
}
