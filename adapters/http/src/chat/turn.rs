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
use super::history::{ApprovalResponse, History};
use super::tools::Tools;
use super::{step, tools};
use crate::approval::Approvals;
use crate::call::advice;
use crate::shared::Shared;
use skills_serve::{Share, unparsed};

/// The maximum number of answers of a model in one turn.
const STEPS: usize = 10;

const BUSY: &str = "the server is busy; send the message again later";

/// One turn, ready to run.
pub(super) struct Turn {
    model: Arc<dyn LanguageModel>,
    request: Request,
    tools: Tools,
    /// The calls that waited for the user.
    responses: Vec<ApprovalResponse>,
    /// The id of the message that the answer continues.
    continued: Option<String>,
    approvals: Arc<Approvals>,
    asks_first: bool,
    /// The memory of all messages.
    share: Share,
    out: Sender<StreamPart>,
}

impl Turn {
    pub(super) fn new(
        shared: &Arc<Shared>,
        runner: Runner,
        model: Arc<dyn LanguageModel>,
        (history, share): (History, Share),
        client: Option<TraceContext>,
        out: Sender<StreamPart>,
    ) -> Self {
        let History { messages: history, mut responses, last } = history;
        let tools = Tools::new(Arc::clone(shared), runner, &history, client);
        let mut messages = Vec::with_capacity(history.len() + 1);
        let instructions =
            [shared.instructions.clone().unwrap_or_default(), tools.catalog(&history)].concat();
        if !instructions.is_empty() {
            messages.push(Message::system(instructions));
            responses.iter_mut().for_each(|response| response.at += 1);
        }
        messages.extend(history);
        let request = Request::new(messages).with_tools(tools.definitions());
        let continued = last.filter(|_| !responses.is_empty());
        let approvals = Arc::clone(&shared.approvals);
        Self { model, request, tools, responses, continued, approvals, asks_first: false, share, out }
    }

    /// Waits for the user before a tool runs.
    pub(super) fn asking_first(self) -> Self {
        Self { asks_first: true, ..self }
    }

    /// Runs the turn and sends all its parts.
    pub(super) async fn run(mut self) {
        let message = self.continued.take().unwrap_or_else(|| format!("msg_{}", RunId::fresh()));
        self.send(StreamPart::Start { message }).await;
        let mut ids = HashSet::new();
        if !self.responses.is_empty() {
            // The answer continues a message whose calls have ids.
            ids.extend(
                self.request.messages.iter().flat_map(Message::tool_calls).map(|call| call.id.clone()),
            );
            if let Err(text) = self.respond().await {
                return self.send(StreamPart::Error { text }).await;
            }
        }
        let mut usage = Usage::default();
        let mut finish = Finish::Stop;
        for number in 0..STEPS {
            self.send(StreamPart::StartStep).await;
            let step = match step::run(&*self.model, &self.request, number, &mut ids, &self.out).await {
                Ok(step) => step,
                // A provider's message may contain keys, so it is only logged.
                Err(reason) => {
                    tracing::error!(target: "skills", "the model of a chat failed: {reason}");
                    let failed = "the model failed; the server's log says why";
                    let text = match advice(reason.kind) {
                        Some(advice) => format!("{failed}\n{advice}"),
                        None => failed.to_owned(),
                    };
                    return self.send(StreamPart::Error { text }).await;
                }
            };
            usage += step.usage;
            finish = step.finish;
            let (waiting, running): (Vec<_>, Vec<_>) =
                step.calls.iter().partition(|call| self.asks_first && tools::runs(&call.name));
            let answers = join_all(running.into_iter().map(|call| self.answer(call))).await;
            for call in &waiting {
                let approval = self.approvals.sign(&call.id, &call.name, &step::arguments(&call.arguments));
                self.send(StreamPart::ApprovalRequest { call: call.id.clone(), approval }).await;
            }
            if !waiting.is_empty() {
                self.send(StreamPart::FinishStep).await;
                break;
            }
            let is_done = step.calls.is_empty();
            if !is_done && !self.share.grow(unparsed(step.text.len() + written(&answers))) {
                return self.send(StreamPart::Error { text: BUSY.to_owned() }).await;
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

    /// Runs the calls that the user has approved, and puts their results into the messages.
    async fn respond(&mut self) -> Result<(), String> {
        let responses = std::mem::take(&mut self.responses);
        let results = join_all(responses.iter().map(|response| self.respond_to(response))).await;
        let answers: Vec<(usize, Message)> = responses
            .iter()
            .map(|response| response.at)
            .zip(results)
            .filter_map(|(at, result)| Some((at, result?)))
            .collect();
        if !self
            .share
            .grow(unparsed(answers.iter().map(|(_, answer)| written(std::slice::from_ref(answer))).sum()))
        {
            return Err(BUSY.to_owned());
        }
        for (at, answer) in answers {
            if let Some(message) = self.request.messages.get_mut(at) {
                *message = answer;
            }
        }
        Ok(())
    }

    /// Returns the result of a call that has waited, or `None` if the user did not allow it.
    async fn respond_to(&self, response: &ApprovalResponse) -> Option<Message> {
        let ApprovalResponse { call, input, id, is_approved, .. } = response;
        if !is_approved {
            self.send(StreamPart::OutputDenied { call: call.id.clone() }).await;
            return None;
        }
        if self.approvals.is_signed(id, &call.id, &call.name, input) {
            return Some(self.answer(call).await);
        }
        let text =
            "the call was not run: the approval is for another call, or the server was started again since"
                .to_owned();
        let is_dynamic = tools::is_dynamic(&call.name);
        self.send(StreamPart::OutputError { call: call.id.clone(), text: text.clone(), is_dynamic }).await;
        Some(Message::tool(ToolResult::new(&call.id, &call.name, text).with_error(true)))
    }

    /// Runs the tool of a call, sends its result to the client, and returns it for the model.
    async fn answer(&self, call: &ToolCall) -> Message {
        let is_dynamic = tools::is_dynamic(&call.name);
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

/// Returns the length of the results of tools.
fn written(answers: &[Message]) -> usize {
    answers.iter().flat_map(Message::tool_results).map(|result| result.content.len()).sum()
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
