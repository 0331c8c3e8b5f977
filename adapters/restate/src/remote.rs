//! The door for callers: runs are begun, followed, listed and cancelled.

use std::time::Duration;

use serde_json::{Value, json};
use skills_runtime::call::durable::{Elsewhere, Progress, follow, fresh_key};
use skills_runtime::call::{BoxFuture, CallError, CallId, CallOptions, Called, ErrorKind};
use skills_runtime::model::Usage;

use crate::Failure;
use crate::http::{ask, part};
use crate::line::{KEY, TIMEOUT, kind};

/// A server of Restate with workers that serve skills.
#[derive(Clone, Debug)]
pub struct Remote {
    ingress: String,
    admin: String,
    prefix: String,
}

/// A run there.
#[derive(Clone, Debug)]
pub struct Run {
    remote: Remote,
    skill: String,
    key: String,
    is_pipeline: bool,
}

/// A run as lists show it.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The key of the run.
    pub key: String,
    /// The skill.
    pub skill: String,
    /// Such as `running`, `suspended`, `paused` or `completed`.
    pub status: String,
    /// The name that the server has for it.
    pub id: String,
}

impl Remote {
    /// Names a server by the addresses of its ingress and of its administration, such as `127.0.0.1:8080` and
    /// `127.0.0.1:9070`; without TLS.
    pub fn new(ingress: impl Into<String>, admin: impl Into<String>) -> Self {
        Self { ingress: ingress.into(), admin: admin.into(), prefix: String::new() }
    }

    /// Sets what stands before the names of the services.
    #[must_use]
    pub fn prefix(self, prefix: impl Into<String>) -> Self {
        Self { prefix: prefix.into(), ..self }
    }

    /// Tells the server where a worker serves; the skills that it has are then served there, and waits until that is done.
    ///
    /// # Errors
    /// The server or the worker does not answer for half a minute, or it refuses the services.
    pub async fn register(&self, worker: &str) -> Result<(), Failure> {
        let body = json!({"uri": worker, "force": true}).to_string();
        let mut last: Failure = "nothing was tried".into();
        for _ in 0..300 {
            match ask(&self.admin, "POST", "/deployments", &[], &body).await {
                Ok((200 | 201, _)) => return Ok(()),
                Ok((status, text)) => last = format!("{status}: {text}").into(),
                Err(error) => last = error,
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Err(last)
    }

    /// Begins a run of a pipeline, or finds the one that has the key; the input is JSON text. Nobody waits for it.
    ///
    /// # Errors
    /// The server refuses.
    pub async fn start(
        &self,
        skill: &str,
        input: &str,
        key: &str,
        timeout: Option<Duration>,
    ) -> Result<Run, Failure> {
        let run = self.run(skill, key, true);
        let timeout = timeout.map(|limit| limit.as_millis().to_string());
        let headers: Vec<(&str, &str)> = timeout.iter().map(|limit| (TIMEOUT, limit.as_str())).collect();
        let path = format!("{}/send", run.path("run"));
        match ask(&self.ingress, "POST", &path, &headers, input).await? {
            // A second call finds the run of the first.
            (200 | 202 | 409, _) => Ok(run),
            (status, text) => Err(format!("{status}: {}", message(&text)).into()),
        }
    }

    /// Returns the run of a key, whether there is one or not.
    pub fn run(&self, skill: &str, key: &str, is_pipeline: bool) -> Run {
        Run { remote: self.clone(), skill: skill.to_owned(), key: key.to_owned(), is_pipeline }
    }

    /// Lists runs of pipelines, the newest first, with those that pipelines began.
    ///
    /// # Errors
    /// The server refuses.
    pub async fn runs(&self, limit: usize) -> Result<Vec<Summary>, Failure> {
        let query = format!(
            "SELECT id, target_service_name, target_service_key, status FROM sys_invocation \
             WHERE target_handler_name = 'run' ORDER BY created_at DESC LIMIT {limit}"
        );
        let rows = self.query(&query).await?;
        let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let summary = |row: &Value| {
            let service = text(row, "target_service_name");
            Summary {
                key: text(row, "target_service_key"),
                skill: service.strip_prefix(&self.prefix).unwrap_or(&service).to_owned(),
                status: text(row, "status"),
                id: text(row, "id"),
            }
        };
        Ok(rows.iter().map(summary).collect())
    }

    async fn query(&self, query: &str) -> Result<Vec<Value>, Failure> {
        let body = json!({"query": query}).to_string();
        let (status, text) = ask(&self.admin, "POST", "/query", &[], &body).await?;
        let mut answer: Value = serde_json::from_str(&text).unwrap_or_default();
        match answer["rows"].take() {
            Value::Array(rows) if status == 200 => Ok(rows),
            _ => Err(format!("{status}: {text}").into()),
        }
    }

    /// Makes a call of a skill that is no pipeline, and waits for it.
    async fn call_leaf(
        &self,
        run: &Run,
        input: &str,
        timeout: Option<Duration>,
    ) -> Result<String, CallError> {
        let timeout = timeout.map(|limit| limit.as_millis().to_string());
        let mut headers = vec![("idempotency-key", run.key.as_str()), (KEY, &run.key)];
        headers.extend(timeout.iter().map(|limit| (TIMEOUT, limit.as_str())));
        run.wait("POST", &run.path("call"), &headers, input).await
    }
}

impl Run {
    /// Returns the key of the run.
    pub fn key(&self) -> &str {
        &self.key
    }

    fn path(&self, handler: &str) -> String {
        let service = part(&format!("{}{}", self.remote.prefix, self.skill));
        if self.is_pipeline {
            format!("/{service}/{}/{handler}", part(&self.key))
        } else {
            format!("/{service}/{handler}")
        }
    }

    /// Waits for the output: JSON text. A server that is gone for a while is waited for.
    ///
    /// # Errors
    /// The run failed, with the text and the kind that it failed with there, or there is none.
    pub async fn output(&self) -> Result<String, CallError> {
        let path = format!("/restate/workflow{}", self.path("attach"));
        self.wait("GET", &path, &[], "").await
    }

    async fn wait(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Result<String, CallError> {
        loop {
            match ask(&self.remote.ingress, method, path, headers, body).await {
                Ok((200, text)) => return Ok(text),
                // 470 and 471 say that the output is not there yet; 5xx without a message of ours is the server's own.
                Ok((470 | 471, _)) | Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
                Ok((status, text)) => {
                    let text = message(&text);
                    return Err(CallError::Elsewhere { kind: kind(status), text, is_retryable: false });
                }
            }
        }
    }

    /// Asks how far the run is.
    ///
    /// # Errors
    /// No worker answers, or there is no such run.
    pub async fn progress(&self) -> Result<Progress, Failure> {
        match ask(&self.remote.ingress, "POST", &self.path("progress"), &[], "").await? {
            (200, text) => Ok(Progress::from_json(&text)),
            (status, text) => Err(format!("{status}: {}", message(&text)).into()),
        }
    }

    /// Cancels the run, and with it whatever it has under way.
    ///
    /// # Errors
    /// There is no such run under way.
    pub async fn cancel(&self) -> Result<(), Failure> {
        let service = format!("{}{}", self.remote.prefix, self.skill);
        let quote = |text: &str| text.replace('\'', "''");
        let query = format!(
            "SELECT id FROM sys_invocation WHERE target_service_name = '{}' AND target_service_key = '{}' \
             AND target_handler_name = 'run'",
            quote(&service),
            quote(&self.key)
        );
        let rows = self.remote.query(&query).await?;
        let id = rows.first().and_then(|row| row["id"].as_str()).ok_or("there is no such run")?;
        let path = format!("/invocations/{}/cancel", part(id));
        match ask(&self.remote.admin, "PATCH", &path, &[], "").await? {
            (200..=299, _) => Ok(()),
            (status, text) => Err(format!("{status}: {}", message(&text)).into()),
        }
    }
}

/// Returns what an answer says went wrong.
fn message(text: &str) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    value["message"].as_str().unwrap_or(text).to_owned()
}

impl Elsewhere for Remote {
    fn call<'a>(
        &'a self,
        call: CallId,
        skill: &'a str,
        is_pipeline: bool,
        input: String,
        options: CallOptions,
    ) -> BoxFuture<'a, Result<Called<String>, CallError>> {
        Box::pin(async move {
            let key = options.journal.clone().unwrap_or_else(fresh_key);
            let failed = |why: Failure| {
                let text = format!("Skill \"{skill}\" failed: {why}");
                CallError::Elsewhere { kind: ErrorKind::Failed, text, is_retryable: false }
            };
            let run = self.run(skill, &key, is_pipeline);
            let output = if is_pipeline {
                self.start(skill, &input, &key, options.timeout).await.map_err(failed)?;
                let (progress, cancel) = (|| run.progress(), || run.cancel());
                follow(call, skill, &options, run.output(), progress, cancel).await?
            } else {
                self.call_leaf(&run, &input, options.timeout).await?
            };
            Ok(Called { output, steps: Vec::new(), usage: Usage::default() })
        })
    }
}
