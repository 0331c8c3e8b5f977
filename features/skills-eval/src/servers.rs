//! Records and replays the exchanges with the MCP servers of `mcp` skills, beside those with models.

use std::sync::Arc;

use serde_json::{Value, json};
use skills_call::BoxFuture;
use skills_call::mcp::{ServerError, ToolCall, ToolDefinition, ToolServer, ToolServers};
use skills_call::model::{Answer, ModelError};

use super::recorder::Recorder;

impl ToolServers for Recorder {
    fn starts_program(&self, server: ToolServer<'_>) -> Result<bool, ServerError> {
        self.servers.as_ref().map_or(Ok(false), |servers| servers.starts_program(server))
    }

    fn definition<'a>(
        &'a self,
        server: ToolServer<'a>,
        tool: &'a str,
    ) -> BoxFuture<'a, Result<Arc<ToolDefinition>, ServerError>> {
        let ask = json!({"role": "tool", "server": server.text, "tool": tool, "method": "tools/list"});
        let make = self
            .servers
            .as_ref()
            .map(|servers| answer(async move { Ok(servers.definition(server, tool).await?.to_json()) }));
        Box::pin(async move {
            let defined = ToolDefinition::from_json(&self.value(ask, make).await?);
            defined
                .map(Arc::new)
                .ok_or_else(|| ServerError::new("the recording has no definition of the tool"))
        })
    }

    fn call<'a>(&'a self, call: ToolCall<'a>) -> BoxFuture<'a, Result<Value, ServerError>> {
        let ask = json!({
            "role": "tool", "server": call.server.text, "tool": call.tool, "method": "tools/call",
            "arguments": call.arguments,
        });
        let make = self.servers.as_ref().map(|servers| answer(servers.call(call)));
        Box::pin(self.value(ask, make))
    }
}

type AnswerFuture<'a> = BoxFuture<'a, Result<Answer, ModelError>>;

impl Recorder {
    async fn value(&self, ask: Value, make: Option<AnswerFuture<'_>>) -> Result<Value, ServerError> {
        let answered = self.exchange(ask, make).await;
        let answer = answered.map_err(|error| ServerError {
            is_retryable: error.is_retryable,
            ..ServerError::new(error.message)
        })?;
        serde_json::from_str(&answer.text).map_err(|error| ServerError::new(error.to_string()))
    }
}

/// Converts an answer of a server to the form in which a cassette records answers.
fn answer<'a>(made: impl Future<Output = Result<Value, ServerError>> + Send + 'a) -> AnswerFuture<'a> {
    Box::pin(async move {
        match made.await {
            Ok(value) => Ok(Answer::new(value.to_string())),
            Err(ServerError { message, is_retryable: true }) => Err(ModelError::new(message).retryable()),
            Err(ServerError { message, .. }) => Err(ModelError::new(message)),
        }
    })
}
