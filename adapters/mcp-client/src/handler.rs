//! Receives the messages that a server sends on its own: progress, changes of lists, and requests for
//! input.

#![expect(deprecated, reason = "servers of earlier revisions still ask for sampling and roots")]

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;
use rmcp::model::{
    ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams, ElicitResult,
    ErrorCode, ErrorData, ListRootsResult, ProgressNotificationParam, ProgressToken, ServerNotification,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ClientHandler, RoleClient};
use tokio::sync::{mpsc, watch};

/// Answers a server's requests for a completion of a model (sampling) and for input of the user
/// (elicitation). The server may try to mislead the user or the model, so show the user the request
/// and the name of the server.
pub trait Input: Send + Sync {
    /// Asks a model. The default refuses.
    fn sample(
        &self,
        request: CreateMessageRequestParams,
    ) -> BoxFuture<'_, Result<CreateMessageResult, ErrorData>> {
        drop(request);
        Box::pin(async { Err(refusal("sampling")) })
    }

    /// Asks the user. The default refuses.
    fn elicit(&self, request: ElicitRequestParams) -> BoxFuture<'_, Result<ElicitResult, ErrorData>> {
        drop(request);
        Box::pin(async { Err(refusal("elicitation")) })
    }
}

pub(crate) fn refusal(what: &str) -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("this client does not offer {what}"), None)
}

/// A report of progress of a call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CallProgress {
    /// The progress so far.
    pub progress: f64,
    /// The progress at the end, if it is known.
    pub total: Option<f64>,
    /// A text of the server, not cleaned.
    pub message: Option<String>,
}

/// How often each list of a server has changed since the connection was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changed {
    /// Changes of the list of tools.
    pub tools: u64,
    /// Changes of the list of resources. Skills are resources, so the list of skills may have changed,
    /// too.
    pub resources: u64,
    /// Changes of the list of prompts.
    pub prompts: u64,
}

impl Changed {
    /// Counts a change of every list.
    pub(crate) fn all(&mut self) {
        for counter in [&mut self.tools, &mut self.resources, &mut self.prompts] {
            *counter = counter.saturating_add(1);
        }
    }

    /// Counts a notification. Returns `false` if it is about something else.
    pub(crate) fn count(&mut self, notification: &ServerNotification) -> bool {
        let counter = match notification {
            ServerNotification::ToolListChangedNotification(_) => &mut self.tools,
            ServerNotification::ResourceListChangedNotification(_) => &mut self.resources,
            ServerNotification::PromptListChangedNotification(_) => &mut self.prompts,
            _ => return false,
        };
        *counter = counter.saturating_add(1);
        true
    }
}

/// How many reports of progress are kept for a call whose token is not known yet.
const EARLY: usize = 64;

/// The receivers of the reports of progress. The transport passes reports on directly, so that no report
/// arrives after the answer to its call.
#[derive(Debug, Default)]
pub(crate) struct Sinks(Mutex<OpenSinks>);

#[derive(Debug, Default)]
struct OpenSinks {
    sinks: HashMap<ProgressToken, mpsc::Sender<CallProgress>>,
    early: Vec<(ProgressToken, CallProgress)>,
}

impl Sinks {
    pub(crate) fn insert(&self, token: &ProgressToken, sink: mpsc::Sender<CallProgress>) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, report) in open.early.extract_if(.., |(of, _)| of == token) {
            drop(sink.try_send(report));
        }
        open.sinks.insert(token.clone(), sink);
    }

    pub(crate) fn remove(&self, token: &ProgressToken) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).sinks.remove(token);
    }

    pub(crate) fn report(&self, report: ProgressNotificationParam) {
        let token = report.progress_token;
        let report = CallProgress { progress: report.progress, total: report.total, message: report.message };
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match open.sinks.get(&token) {
            // If the queue is full, a report is dropped: a later report replaces it.
            Some(sink) => drop(sink.try_send(report)),
            None if open.early.len() < EARLY => open.early.push((token, report)),
            None => {}
        }
    }
}

/// The receiver of one session.
pub(crate) struct Handler {
    pub(crate) config: ClientConfig,
    pub(crate) changed: watch::Sender<Changed>,
    pub(crate) input: Option<Arc<dyn Input>>,
}

impl Handler {
    fn changed(&self, count: impl FnOnce(&mut Changed) -> &mut u64) {
        self.changed.send_modify(|changed| {
            let counter = count(changed);
            *counter = counter.saturating_add(1);
        });
    }
}

type Context = NotificationContext<RoleClient>;

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        match &self.input {
            Some(input) => input.sample(request).await,
            None => Err(refusal("sampling")),
        }
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        match &self.input {
            Some(input) => input.elicit(request).await,
            None => Err(refusal("elicitation")),
        }
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Err(refusal("roots"))
    }

    async fn on_resource_list_changed(&self, _: Context) {
        self.changed(|changed| &mut changed.resources);
    }

    async fn on_tool_list_changed(&self, _: Context) {
        self.changed(|changed| &mut changed.tools);
    }

    async fn on_prompt_list_changed(&self, _: Context) {
        self.changed(|changed| &mut changed.prompts);
    }
}
