//! The client for callers: starts, follows, lists and cancels runs.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use skills_call::durable::{RemoteCalls, Reply, Request};
use skills_call::{BoxFuture, CallError, CallId, CallOptions, Called, ErrorKind, Fault};
use skills_durable::{Progress, follow, fresh_key};

use crate::Failure;
use crate::http::{AnswerTooLarge, ask, part};
use crate::line::{PROGRESS, REPLY, headers, kind};

/// A Restate server with workers that serve skills.
#[derive(Clone, Debug)]
pub struct Remote {
    ingress: String,
    admin: String,
    prefix: String,
}

/// A run on the server.
#[derive(Clone, Debug)]
pub struct Run {
    remote: Remote,
    skill: String,
    key: String,
    is_pipeline: bool,
}

/// A run in a list.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The key of the run.
    pub key: String,
    /// The skill.
    pub skill: String,
    /// The status, such as `running`, `suspended`, `paused` or `completed`.
    pub status: String,
    /// The server's id of the run.
    pub id: String,
}

impl Remote {
    /// Creates a client from the addresses of the server's ingress and admin API, such as `127.0.0.1:8080`
    /// and `127.0.0.1:9070`; without TLS.
    pub fn new(ingress: impl Into<String>, admin: impl Into<String>) -> Self {
        Self { ingress: ingress.into(), admin: admin.into(), prefix: String::new() }
    }

    /// Sets a prefix for the names of the services.
    #[must_use]
    pub fn prefix(self, prefix: impl Into<String>) -> Self {
        Self { prefix: prefix.into(), ..self }
    }

    /// Registers a worker's address with the server, which then calls its skills there, and waits until the
    /// registration is done.
    ///
    /// # Errors
    /// If the server or the worker does not answer for half a minute, or if the server refuses the services.
    pub async fn register(&self, worker: &str) -> Result<(), Failure> {
        let body = json!({"uri": worker, "force": true}).to_string();
        let mut last: Failure = "nothing was tried".into();
        for _ in 0..300 {
            match ask(&self.admin, Method::POST, "/deployments", &[], &body).await {
                Ok((200 | 201, _)) => return Ok(()),
                Ok((status, text)) => last = format!("{status}: {text}").into(),
                Err(error) => last = error,
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Err(last)
    }

    /// Starts a run of a pipeline, or finds the existing one with the key. Does not wait for its result.
    ///
    /// # Errors
    /// If the server refuses.
    pub async fn start(&self, request: Request, key: &str) -> Result<Run, Failure> {
        let run = self.run(&request.skill, key, true);
        let path = format!("{}/send", run.path("run"));
        match ask(&self.ingress, Method::POST, &path, &headers(&request), &request.input).await? {
            // A second call with the same key finds the run of the first.
            (200 | 202 | 409, _) => Ok(run),
            (status, text) => Err(format!("{status}: {}", message(&text)).into()),
        }
    }

    /// Returns the run of a key, whether it exists or not.
    pub fn run(&self, skill: &str, key: &str, is_pipeline: bool) -> Run {
        Run { remote: self.clone(), skill: skill.to_owned(), key: key.to_owned(), is_pipeline }
    }

    /// Lists runs of pipelines, newest first, including runs started by pipelines.
    ///
    /// # Errors
    /// If the server refuses.
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
        let (status, text) = ask(&self.admin, Method::POST, "/query", &[], &body).await?;
        let mut answer: Value = serde_json::from_str(&text).unwrap_or_default();
        match answer["rows"].take() {
            Value::Array(rows) if status == 200 => Ok(rows),
            _ => Err(format!("{status}: {text}").into()),
        }
    }

    /// Calls a skill that is not a pipeline, and waits for its reply, like for a step.
    async fn call_leaf(&self, run: &Run, request: Request) -> Result<Called<String>, CallError> {
        let place = Some(format!("{}/{}", run.key, run.skill));
        let request = Request { place, ..request };
        let mut headers = headers(&request);
        headers.push(("idempotency-key".to_owned(), run.key.clone()));
        let text = run.wait(Method::POST, &run.path("call"), &headers, &request.input).await?;
        Reply::read(&run.skill, &text).called(&run.skill)
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

    /// Waits for the result of the run, even if the server is unavailable for a while.
    ///
    /// # Errors
    /// If the run failed, with all details known there, or if it does not exist.
    pub async fn called(&self) -> Result<Called<String>, CallError> {
        let path = format!("/restate/workflow{}", self.path("attach"));
        let result = self.wait(Method::GET, &path, &[], "").await;
        // A finished run returns this as long as the server keeps its output. A cancelled or lost run has
        // recorded nothing.
        let beside = self.ask(REPLY).await.unwrap_or_default();
        match (result, Reply::from_json(&beside)) {
            (Ok(output), _) => Reply::join(output, &beside).called(&self.skill),
            (Err(_), Some(Reply::Failure(fault))) => Err(fault.into()),
            (Err(error), _) => Err(error),
        }
    }

    /// Waits for the output, as JSON text.
    ///
    /// # Errors
    /// See [`Run::called`].
    pub async fn output(&self) -> Result<String, CallError> {
        self.called().await.map(|called| called.output)
    }

    async fn wait(
        &self,
        method: Method,
        path: &str,
        headers: &[(String, String)],
        body: &str,
    ) -> Result<String, CallError> {
        loop {
            match ask(&self.remote.ingress, method.clone(), path, headers, body).await {
                Ok((200, text)) => return Ok(text),
                // 470 and 471 mean that the output is not available yet; a 5xx status without a message of
                // this crate comes from the server itself.
                Err(error) if error.is::<AnswerTooLarge>() => {
                    return Err(Fault::new(ErrorKind::Failed, error.to_string()).into());
                }
                Ok((470 | 471, _)) | Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
                Ok((status, text)) => {
                    return Err(Fault::new(kind(status), message(&text)).into());
                }
            }
        }
    }

    /// Returns the progress of the run.
    ///
    /// # Errors
    /// If no worker answers, or if the run does not exist.
    pub async fn progress(&self) -> Result<Progress, Failure> {
        Ok(Progress::from_json(&self.ask(PROGRESS).await?))
    }

    /// Reads a value that the run has recorded.
    async fn ask(&self, name: &str) -> Result<String, Failure> {
        match ask(&self.remote.ingress, Method::POST, &self.path(name), &[], "").await? {
            (200, text) => Ok(text),
            (status, text) => Err(format!("{status}: {}", message(&text)).into()),
        }
    }

    /// Cancels the run and all its active work.
    ///
    /// # Errors
    /// If the run is not active.
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
        self.end(id, "cancel").await?;
        let query = format!("SELECT status FROM sys_invocation WHERE id = '{}'", quote(id));
        for _ in 0..20 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let rows = self.remote.query(&query).await?;
            if rows.first().is_none_or(|row| row["status"] == "completed") {
                return Ok(());
            }
        }
        // If a service or its worker is missing, every attempt of the run fails, and the run never receives
        // the cancellation.
        match self.remote.query(&query).await?.first() {
            Some(row) if row["status"] == "backing-off" => self.end(id, "kill").await,
            _ => Ok(()),
        }
    }

    async fn end(&self, id: &str, how: &str) -> Result<(), Failure> {
        let path = format!("/invocations/{}/{how}", part(id));
        match ask(&self.remote.admin, Method::PATCH, &path, &[], "").await? {
            (200..=299, _) => Ok(()),
            (status, text) => Err(format!("{status}: {}", message(&text)).into()),
        }
    }
}

/// Returns the error message of a response.
fn message(text: &str) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    value["message"].as_str().unwrap_or(text).to_owned()
}

impl RemoteCalls for Remote {
    fn call<'a>(
        &'a self,
        call: CallId,
        request: Request,
        options: CallOptions,
    ) -> BoxFuture<'a, Result<Called<String>, CallError>> {
        Box::pin(async move {
            let key = options.journal.clone().unwrap_or_else(fresh_key);
            let run = self.run(&request.skill, &key, request.is_pipeline);
            if !request.is_pipeline {
                return self.call_leaf(&run, request).await;
            }
            let skill = request.skill.clone();
            self.start(request, &key).await.map_err(|why| CallError::unreachable(&skill, &why))?;
            let (progress, cancel) = (|| run.progress(), || run.cancel());
            follow(call, &skill, &options, run.called(), progress, cancel).await
        })
    }
}
