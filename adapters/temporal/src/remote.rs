//! The client for callers: starts, follows, lists and cancels runs.

use std::time::SystemTime;

use futures_util::StreamExt;
use skills_call::durable::{RemoteCalls, Reply, Request};
use skills_call::{BoxFuture, CallError, CallId, CallOptions, Called, ErrorKind, Fault};
use skills_durable::{follow, fresh_key};
use temporalio_client::errors::{WorkflowGetResultError, WorkflowStartError};
use temporalio_client::{
    Client, ClientOptions, Connection, ConnectionOptions, Url, WorkflowHandle, WorkflowIdConflictPolicy,
    WorkflowIdReusePolicy, WorkflowStartOptions,
};
use temporalio_common::protos::temporal::api::failure::v1::failure::FailureInfo;
use temporalio_common::protos::temporal::api::history::v1::HistoryEvent;

use crate::json::{Begin, Output};
use crate::settings::Settings;
use crate::steps::{StepAttempt, steps, text};
use crate::workflow::Pipeline;
use crate::{Failure, MAX_PAYLOAD, Progress, too_large};

/// A Temporal server with workers that serve skills.
#[derive(Clone)]
pub struct Remote {
    client: Client,
    settings: Settings,
}

/// A run on the server.
pub struct Run {
    handle: WorkflowHandle<Client, Pipeline>,
    skill: String,
    key: String,
}

/// A run in a list.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The key of the run.
    pub key: String,
    /// The skill.
    pub skill: String,
    /// `running`, `completed`, `failed`, `canceled`, `terminated`, `timedout` or `continuedasnew`.
    pub status: String,
    /// The start time.
    pub begun: Option<SystemTime>,
    /// The end time.
    pub ended: Option<SystemTime>,
}

impl Remote {
    /// Connects to a server, such as `http://127.0.0.1:7233`, in the namespace `default`.
    ///
    /// # Errors
    /// If the address is invalid, or if no server answers.
    pub async fn connect(address: &str) -> Result<Self, Failure> {
        let address = if address.contains("://") { address.to_owned() } else { format!("http://{address}") };
        let options = ConnectionOptions::new(address.parse::<Url>()?).build();
        let connection = Connection::connect(options).await?;
        Ok(Self::new(Client::new(connection, ClientOptions::new("default").build())?))
    }

    /// Wraps a client with other options, such as TLS or a namespace.
    pub fn new(client: Client) -> Self {
        Self { client, settings: Settings::default() }
    }

    /// Changes the settings. The prefix of the queues must equal the prefix of the workers.
    #[must_use]
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    /// Returns the client.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// Starts a run of a skill, or finds the existing one with the key.
    ///
    /// # Errors
    /// If the input is too large, or if the server refuses.
    pub async fn start(&self, request: Request, key: &str) -> Result<Run, Failure> {
        if request.input.len() > MAX_PAYLOAD {
            return Err(too_large("the input", request.input.len()).into());
        }
        let options = WorkflowStartOptions::new(self.settings.queue(&request.skill), key)
            .id_reuse_policy(WorkflowIdReusePolicy::RejectDuplicate)
            .id_conflict_policy(WorkflowIdConflictPolicy::UseExisting)
            .task_timeout(self.settings.task_timeout)
            .build();
        let run = self.run(&request.skill, key);
        let begin = Begin { request, memory: None };
        match self.client.start_workflow(Pipeline::run, begin, options).await {
            Ok(_) | Err(WorkflowStartError::AlreadyStarted { .. }) => Ok(run),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the run of a key, whether it exists or not.
    pub fn run(&self, skill: &str, key: &str) -> Run {
        let handle = self.client.get_workflow_handle::<Pipeline>(key);
        Run { handle, skill: skill.to_owned(), key: key.to_owned() }
    }

    /// Lists runs, newest first, without nested pipelines.
    ///
    /// # Errors
    /// If the server refuses.
    pub async fn runs(&self, limit: usize) -> Result<Vec<Summary>, Failure> {
        let query = "WorkflowType = 'skill'";
        let mut found = self.client.list_workflows(query, Default::default());
        let mut runs = Vec::new();
        while let Some(one) = found.next().await {
            let one = one?;
            if one.parent_id().is_some() {
                continue;
            }
            let queue = one.task_queue();
            runs.push(Summary {
                key: one.id().to_owned(),
                skill: queue.strip_prefix(&self.settings.prefix).unwrap_or(queue).to_owned(),
                status: format!("{:?}", one.status()).to_lowercase(),
                begun: one.start_time(),
                ended: one.close_time(),
            });
            if runs.len() == limit {
                break;
            }
        }
        Ok(runs)
    }
}

impl Run {
    /// Returns the key of the run.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the history of the run. If the run continued in a new history, returns the last history.
    ///
    /// # Errors
    /// If the run does not exist.
    pub async fn history(&self) -> Result<Vec<HistoryEvent>, Failure> {
        Ok(self.handle.fetch_history(Default::default()).into_events().await?)
    }

    /// Reads the attempts of steps from the history of the run.
    ///
    /// # Errors
    /// If the run does not exist.
    pub async fn steps(&self) -> Result<Vec<StepAttempt>, Failure> {
        Ok(steps(&self.history().await?))
    }

    /// Waits for the result of the run.
    ///
    /// # Errors
    /// If the run failed, with all details known there, or if the server cannot be reached.
    pub async fn called(&self) -> Result<Called<String>, CallError> {
        match self.handle.get_result(Default::default()).await {
            Ok(Output { text, beside }) => Reply::join(text, &beside).called(&self.skill),
            Err(error) => Err(self.failure(&error)),
        }
    }

    /// Waits for the output, as JSON text.
    ///
    /// # Errors
    /// See [`Run::called`].
    pub async fn output(&self) -> Result<String, CallError> {
        self.called().await.map(|called| called.output)
    }

    fn failure(&self, error: &WorkflowGetResultError) -> CallError {
        let failure = match error {
            WorkflowGetResultError::Failed(failure) => failure.failure(),
            WorkflowGetResultError::Cancelled { .. } => {
                return CallError::Cancelled { skill: self.skill.clone() };
            }
            other => {
                let text = format!("Skill \"{}\" failed: {other}", self.skill);
                return Fault::new(ErrorKind::Failed, text).into();
            }
        };
        let Some(FailureInfo::ApplicationFailureInfo(info)) = &failure.failure_info else {
            return Fault::new(ErrorKind::Failed, failure.message.clone()).into();
        };
        match Reply::from_json(&text(&info.details)) {
            Some(Reply::Failure(fault)) => fault.into(),
            _ => {
                let kind = info.r#type.parse().unwrap_or(ErrorKind::Failed);
                Fault::new(kind, failure.message.clone()).into()
            }
        }
    }

    /// Returns the progress of the run, from a worker that has the pipeline.
    ///
    /// # Errors
    /// If no worker answers, or if the run does not exist.
    pub async fn progress(&self) -> Result<Progress, Failure> {
        let answer = self.handle.query(Pipeline::progress, (), Default::default()).await?;
        Ok(Progress::from_json(&answer.0))
    }

    /// Cancels the run and all its active work.
    ///
    /// # Errors
    /// If the run is not active.
    pub async fn cancel(&self) -> Result<(), Failure> {
        Ok(self.handle.cancel(Default::default()).await?)
    }
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
            let skill = request.skill.clone();
            let run = self.start(request, &key).await.map_err(|why| CallError::unreachable(&skill, &why))?;
            let (progress, cancel) = (|| run.progress(), || run.cancel());
            follow(call, &skill, &options, run.called(), progress, cancel).await
        })
    }
}
