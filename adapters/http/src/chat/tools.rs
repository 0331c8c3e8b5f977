//! The tools of a chat: those of its runner, whose calls are told to the client (SPEC 6.5, 11.3).

use std::sync::{Arc, Mutex, PoisonError};

use skills_call::{CallOptions, ErrorKind, Loader, Runner, ToolAnswer};
use skills_call::model::{Message, Role, ToolCall, ToolDefinition};
use skills_runtime::tools::{SearchSkillsTool, Session};
use skills_call::trace::TraceContext;
use tokio::sync::mpsc::Sender;

use super::frame::StreamPart;
use crate::progress::Progress;
use crate::shared::Shared;

/// Tells whether a client cannot know a tool from its own code: all but `load_skill`.
pub(super) fn is_dynamic(name: &str) -> bool {
    Some(name) != Loader::LoadSkill.name()
}

/// What the model of one chat may call.
pub(super) struct Tools {
    shared: Arc<Shared>,
    runner: Runner,
    /// What the chat has loaded: its own history says so, and no server needs to remember it (SPEC 11.17).
    session: Arc<Mutex<Session>>,
    /// Where the client is in its own trace.
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

    /// Returns what the model is told of skills that it finds on demand; else `load_skill` lists them all by itself.
    pub(super) fn catalog(&self, history: &[Message]) -> String {
        if !self.runner.has_search() {
            return String::new();
        }
        let said = history.iter().rfind(|message| message.role == Role::User).map(Message::text);
        self.runner.prompt_for(&said.unwrap_or_default())
    }

    /// Answers a call; while a pipeline runs, its progress goes out as preliminary results of the call.
    pub(super) async fn call(&self, call: &ToolCall, out: &Sender<StreamPart>) -> ToolAnswer {
        // Reading a skill waits for nothing, nor does finding one.
        let runs = is_dynamic(&call.name) && call.name != SearchSkillsTool::NAME;
        let place = if runs { self.shared.place().await } else { Ok(None) };
        let Ok(_place) = place else {
            return ToolAnswer::failed(ErrorKind::Failed, "the server is busy; call it again later");
        };
        let (progress, id, out) = (Progress::new(self.runner.clone()), call.id.clone(), out.clone());
        let options = CallOptions::default()
            .workspace(self.shared.workspace.clone())
            .session(Arc::clone(&self.session))
            .trace(self.client.clone());
        let options = options.on_event(move |event| {
            let Some(output) = progress.tell(event) else { return };
            // Progress that a slow client has no room for is left out; the result is not.
            let call = id.clone();
            drop(out.try_send(StreamPart::Output { call, output, is_preliminary: true, is_dynamic: true }));
        });
        self.runner.dispatch(&call.name, &call.arguments, &options).await
    }
}
