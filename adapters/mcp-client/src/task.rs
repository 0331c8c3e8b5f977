//! A call that the server answers with a task (SEP-2663): it is polled until it ends, and cancelled if the caller
//! stops waiting.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolResult, CancelTaskParams, CancelTaskRequest, ClientRequest, GetTaskParams, GetTaskRequest,
    ServerResult, Task, TaskPayload, UpdateTaskParams, UpdateTaskRequest,
};
use serde_json::Value;
use tokio::time::{Instant, sleep};

use crate::connection::Connection;
use crate::error::Error;
use crate::handler::CallProgress;
use crate::session::{ServerSession, Timeouts};

/// The interval between two polls of a task if the server does not set one, and the bounds for the
/// server's value.
const INTERVAL: Duration = Duration::from_secs(1);
const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(10);

/// A task without a result. Dropping it asks the server to cancel the task.
pub(crate) struct Running {
    session: Option<Arc<ServerSession>>,
    task: Task,
}

impl Running {
    pub(crate) fn new(session: Arc<ServerSession>, task: Task) -> Self {
        Self { session: Some(session), task }
    }

    /// Waits for the result.
    pub(crate) async fn finish(
        mut self,
        connection: &Connection,
        timeouts: Timeouts<'_>,
    ) -> Result<CallToolResult, Error> {
        let Some(session) = self.session.clone() else { return Err(Error::Closed(String::new())) };
        let mut polls: u32 = 0;
        loop {
            let left = timeouts.end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::Timeout(timeouts.total));
            }
            let interval = self.task.poll_interval_ms.map_or(INTERVAL, Duration::from_millis);
            sleep(interval.clamp(SHORTEST, LONGEST).min(left)).await;
            let id = self.task.task_id.clone();
            let request = ClientRequest::GetTaskRequest(GetTaskRequest::new(GetTaskParams::new(id.clone())));
            let ServerResult::GetTaskResult(got) = session.request(request, timeouts).await? else {
                return Err(Error::Protocol("the answer to `tasks/get` is of another kind".to_owned()));
            };
            self.task = got.task.task;
            // The id from the first answer stays the id of the task, whatever later answers contain.
            self.task.task_id.clone_from(&id);
            match got.task.payload {
                TaskPayload::Completed { result } => {
                    self.session = None;
                    return serde_json::from_value(Value::Object(result))
                        .map_err(|error| Error::Protocol(error.to_string()));
                }
                TaskPayload::Failed { error } => {
                    self.session = None;
                    let code =
                        error.get("code").and_then(Value::as_i64).and_then(|code| i32::try_from(code).ok());
                    let message = error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
                    return Err(Error::Server { code: code.unwrap_or_default(), message });
                }
                TaskPayload::Cancelled => {
                    self.session = None;
                    return Err(Error::Protocol("the server cancelled the task".to_owned()));
                }
                TaskPayload::InputRequired { input_requests } => {
                    let Some(responses) = connection.answer(input_requests).await? else { continue };
                    let update = UpdateTaskRequest::new(UpdateTaskParams::new(id, responses));
                    session.request(ClientRequest::UpdateTaskRequest(update), timeouts).await?;
                }
                _ => {
                    polls = polls.saturating_add(1);
                    if let Some(show) = timeouts.progress {
                        let message = self.task.status_message.clone();
                        show(CallProgress { progress: f64::from(polls), total: None, message });
                    }
                }
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let (Some(session), Ok(runtime)) = (self.session.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let cancel = CancelTaskRequest::new(CancelTaskParams::new(self.task.task_id.clone()));
        runtime.spawn(async move {
            let end = Instant::now() + INTERVAL;
            let timeouts = Timeouts { idle: INTERVAL, total: INTERVAL, end, progress: None };
            drop(session.request(ClientRequest::CancelTaskRequest(cancel), timeouts).await);
        });
    }
}
