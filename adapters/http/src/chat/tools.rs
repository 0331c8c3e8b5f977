//! The tools of a chat, which come from its runner. Their calls are reported to the client.

use std::sync::{Arc, Mutex, PoisonError};

use skills_call::model::{Message, Role, ToolCall, ToolDefinition};
use skills_call::trace::TraceContext;
use skills_call::{CallOptions, ErrorKind, Loader, Runner, ToolAnswer};
use skills_runtime::tools::{SearchSkillsTool, Session};
use tokio::sync::mpsc::Sender;

use super::frame::StreamPart;
use crate::progress::PipelineProgress;
use crate::shared::Shared;

/// Returns `true` if a client has no code for a tool: all tools except `load_skill`.
pub(super) fn is_dynamic(name: &str) -> bool {
    Some(name) != Loader::LoadSkill.name()
}

/// Returns `true` if a tool runs something. The others read or find a skill.
pub(super) fn runs(name: &str) -> bool {
    is_dynamic(name) && name != SearchSkillsTool::NAME
}

/// The tools that the model of one chat may call.
pub(super) struct Tools {
    shared: Arc<Shared>,
    runner: Runner,
    /// The skills that the chat has loaded. They are determined from its history, so the server stores
    /// nothing.
    session: Arc<Mutex<Session>>,
    /// The trace context of the client.
    client: Option<TraceContext>,
}

impl Tools {
    pub(super) fn new(
        shared: Arc<Shared>,
        runner: Runner,
        history: &[Message],
        client: Option<TraceContext>,
    ) -> Self {
        let runner = runner.loader(Loader::LoadSkill);
        let runner = if shared.chat_calls { runner } else { runner.read_only() };
        let session = Arc::new(Mutex::new(runner.session(history)));
        Self { shared, runner, session, client }
    }

    pub(super) fn definitions(&self) -> Vec<ToolDefinition> {
        let session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        self.runner.tool_definitions_in(&session)
    }

    /// Returns the text of the runner for the system prompt.
    pub(super) fn catalog(&self, history: &[Message]) -> String {
        let last = history.iter().rfind(|message| message.role == Role::User).map(Message::text);
        self.runner.prompt_for(&last.unwrap_or_default())
    }

    /// Answers a call. While a pipeline runs, its progress is sent as preliminary results of the call.
    pub(super) async fn call(&self, call: &ToolCall, out: &Sender<StreamPart>) -> ToolAnswer {
        // Reading or finding a skill needs no place in the queue.
        let place = if runs(&call.name) { self.shared.place().await } else { Ok(None) };
        let Ok(_place) = place else {
            return ToolAnswer::failed(ErrorKind::Failed, "the server is busy; call it again later");
        };
        let (progress, id, out) = (PipelineProgress::new(self.runner.clone()), call.id.clone(), out.clone());
        let options = CallOptions::default()
            .workspace(self.shared.workspace.clone())
            .session(Arc::clone(&self.session))
            .trace(self.client.clone());
        let options = options.on_event(move |event| {
            let Some(output) = progress.update(event) else { return };
            // If a slow client's buffer is full, progress is dropped, but never the result.
            let call = id.clone();
            drop(out.try_send(StreamPart::Output { call, output, is_preliminary: true, is_dynamic: true }));
        });
        self.runner.dispatch(&call.name, &call.arguments, &options).await
    }
}
