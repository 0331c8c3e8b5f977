//! A process that serves skills to Restate.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use restate_sdk::discovery::{
    self, HandlerName, HandlerType, InputPayload, OutputPayload, ServiceName, ServiceType,
};
use restate_sdk::endpoint::Endpoint;
use restate_sdk::http_server::HttpServer;
use restate_sdk::service::macro_support::service_definition;
use skills_call::{Function, Runner};

use crate::Failure;
use crate::handler::Handler;
use crate::line::{PROGRESS, REPLY};

/// The additional time for a step beyond the limits of its attempts.
const SLACK: Duration = Duration::from_secs(3600);

/// Serves the skills of a runner to Restate.
pub struct Worker {
    runner: Runner,
    prefix: Arc<str>,
    only: Option<Vec<String>>,
}

impl Worker {
    /// Creates a worker that serves every pipeline of the runner, and every other skill that it can run.
    pub fn new(runner: Runner) -> Self {
        Self { runner, prefix: "".into(), only: None }
    }

    /// Serves only these skills. The server calls a skill at the address that registered it last, so
    /// different machines can serve different skills. Machines that serve the same skills share one address.
    #[must_use]
    pub fn only<S: Into<String>>(mut self, skills: impl IntoIterator<Item = S>) -> Self {
        self.only = Some(skills.into_iter().map(Into::into).collect());
        self
    }

    /// Sets a prefix for the names of the services, which must be the same for all workers of a pipeline.
    #[must_use]
    pub fn prefix(mut self, prefix: &str) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Serves until the process is asked to end.
    ///
    /// # Errors
    /// If a skill of [`Worker::only`] cannot be run here, if there are no skills, if the workspace does not
    /// exist, or if the address cannot be bound.
    pub async fn serve(&self, address: SocketAddr) -> Result<(), Failure> {
        let endpoint = self.endpoint()?;
        let listener = tokio::net::TcpListener::bind(address).await?;
        HttpServer::new(endpoint).serve(listener).await;
        Ok(())
    }

    /// Creates the endpoint, for use in your own server.
    ///
    /// # Errors
    /// See [`Worker::serve`].
    pub fn endpoint(&self) -> Result<Endpoint, Failure> {
        let mut builder = Endpoint::builder();
        for name in self.runner.server_access().servable(self.only.as_deref())? {
            let Some(function) = self.runner.skills().function(&name) else { continue };
            let (runner, prefix) = (self.runner.clone(), Arc::clone(&self.prefix));
            let handler = Handler { runner, skill: name.as_str().into(), prefix };
            builder = builder.bind(service_definition(handler, self.describe(function)));
        }
        Ok(builder.build())
    }

    fn describe(&self, function: Function<'_>) -> discovery::Service {
        let skill = function.skill;
        let is_pipeline = function.is_pipeline();
        let schema = |text: Option<&str>| text.and_then(|text| serde_json::from_str(text).ok());
        let json = || Some("application/json".to_owned());
        let input = InputPayload {
            content_type: json(),
            json_schema: schema(skill.input_schema()),
            required: Some(true),
        };
        let output = OutputPayload {
            content_type: json(),
            json_schema: schema(skill.output_schema()),
            set_content_type_if_empty: Some(false),
        };
        let millis = |duration: Duration| u64::try_from(duration.as_millis()).ok();
        let handler = |name: &str, ty, input, output| discovery::Handler {
            name: HandlerName::try_from(name).unwrap_or_else(|_| unreachable!("a name of a handler")),
            input: Some(input),
            output: Some(output),
            ty,
            documentation: Some(skill.description().to_owned()),
            metadata: Default::default(),
            abort_timeout: None,
            // A step may run as long as its limits allow. A waiting pipeline is suspended after a minute.
            inactivity_timeout: if is_pipeline { None } else { millis(longest(function) + SLACK) },
            journal_retention: None,
            idempotency_retention: None,
            workflow_completion_retention: None,
            enable_lazy_state: None,
            ingress_private: None,
            retry_policy_initial_interval: Some(100),
            retry_policy_max_interval: Some(5_000),
            retry_policy_max_attempts: None,
            retry_policy_exponentiation_factor: Some(2.0),
            retry_policy_on_max_attempts: None,
        };
        let handlers = if is_pipeline {
            let ask = |name| {
                let nothing = InputPayload { content_type: None, json_schema: None, required: Some(false) };
                let text = OutputPayload {
                    content_type: json(),
                    json_schema: None,
                    set_content_type_if_empty: Some(false),
                };
                handler(name, Some(HandlerType::Shared), nothing, text)
            };
            vec![handler("run", Some(HandlerType::Workflow), input, output), ask(PROGRESS), ask(REPLY)]
        } else {
            vec![handler("call", None, input, output)]
        };
        discovery::Service {
            ty: if is_pipeline { ServiceType::Workflow } else { ServiceType::Service },
            name: ServiceName::try_from(format!("{}{}", self.prefix, skill.name()))
                .unwrap_or_else(|_| unreachable!("a name of a service")),
            handlers,
            documentation: Some(skill.description().to_owned()),
            metadata: Default::default(),
            abort_timeout: None,
            inactivity_timeout: None,
            journal_retention: None,
            idempotency_retention: None,
            enable_lazy_state: None,
            ingress_private: None,
            retry_policy_initial_interval: None,
            retry_policy_max_interval: None,
            retry_policy_max_attempts: None,
            retry_policy_exponentiation_factor: None,
            retry_policy_on_max_attempts: None,
        }
    }
}

/// Returns the maximum time of all attempts of a step.
fn longest(function: Function<'_>) -> Duration {
    let limit = function.skill.timeout_ms().unwrap_or(60_000);
    let attempts = u64::from(function.skill.retry()) + 1;
    Duration::from_millis(limit).saturating_mul(u32::try_from(attempts).unwrap_or(u32::MAX))
}
