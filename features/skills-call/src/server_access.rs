//! What servers, engines and evaluations ask a runner besides its calls.

use std::sync::Arc;

use skills_registry::{Skill, ToolFormat};

use crate::mcp::ToolServers;
use crate::model::LanguageModel;
use crate::pipeline::journal::{digest, fingerprint};
use crate::run::state::RunnerState;
use crate::trace::TraceContext;
use crate::{CallError, Failure, Function};
use skills_runtime::capabilities::Capabilities;

/// What servers, engines and evaluations ask a runner besides its calls ([`Runner::server_access`](crate::Runner::server_access)).
#[derive(Clone, Copy)]
pub struct ServerAccess<'a> {
    runner: &'a RunnerState,
}

impl<'a> ServerAccess<'a> {
    pub(crate) fn new(runner: &'a RunnerState) -> Self {
        Self { runner }
    }

    /// Returns the capabilities that are available to skills.
    pub fn capabilities(self) -> &'a dyn Capabilities {
        self.runner
    }

    /// Returns the model of `llm` skills, if one is set.
    pub fn language_model(self) -> Option<Arc<dyn LanguageModel>> {
        self.runner.model.clone()
    }

    /// Returns the MCP servers whose tools `mcp` skills call, if they are set.
    pub fn tool_servers(self) -> Option<Arc<dyn ToolServers>> {
        self.runner.mcp.clone()
    }

    /// Returns the digest of the runner's bundle, in hexadecimal digits; `None` for a runner of directories.
    pub fn bundle_digest(self) -> Option<String> {
        self.runner.bundle_digest()
    }

    /// Returns the callable skills, sorted by name: the tools, and the functions that are hidden from models.
    pub fn callable(self) -> Vec<Skill<'a>> {
        self.runner.layers.iter().filter(|skill| self.runner.backend(skill.name()).is_ok()).collect()
    }

    /// Returns the definition of the tool that loads skills for an interface; `None` if there is none, or no skill to
    /// load.
    pub fn loader_tool(self, format: ToolFormat) -> Option<String> {
        self.runner.loader_tool(format)
    }

    /// Returns the definition of the tool `search_skills` for an interface; `None` unless skills are [on
    /// demand](crate::Runner::on_demand) and there is a skill to find.
    pub fn search_tool(self, format: ToolFormat) -> Option<String> {
        self.runner.search_tool(format)
    }

    /// Returns `true` if the tool `search_skills` is offered.
    pub fn has_search(self) -> bool {
        self.runner.has_search()
    }

    /// Returns a line for each [pinned](crate::OnDemand::pin) skill that the prompt does not list, with the reason.
    pub fn pin_problems(self) -> Vec<String> {
        self.runner.pin_problems()
    }

    /// Returns the skills for a task that a model may load or call, best first, at most 20, as
    /// `search_skills` lists them. Skills that are hidden from models, shadowed, not granted or not trusted
    /// are never found.
    pub fn find_skills(self, task: &str, limit: usize) -> Vec<Skill<'a>> {
        self.runner.find_skills(task, limit)
    }

    /// Returns the names of the skills that a worker can serve: every pipeline, since its steps may run
    /// elsewhere, and every other function that this process can run. With `only`, checks that the worker can
    /// serve all of these skills, and returns their names.
    ///
    /// # Errors
    /// This process cannot run a skill in `only`, there are no skills to serve, or the workspace does not
    /// exist.
    pub fn servable(self, only: Option<&[String]>) -> Result<Vec<String>, Failure> {
        if let Some(place) = &self.runner.workspace
            && !place.is_dir()
        {
            return Err(
                format!("the workspace {} is not a directory of this machine", place.display()).into()
            );
        }
        let names = match only {
            Some(only) => {
                only.iter().try_for_each(|name| self.missing(name).map_or(Ok(()), Err))?;
                only.to_vec()
            }
            None => {
                let names = self.runner.layers.iter().map(|skill| skill.name().to_owned());
                names.filter(|name| self.missing(name).is_none()).collect()
            }
        };
        if names.is_empty() { Err("there is no skill that this worker can run".into()) } else { Ok(names) }
    }

    /// Returns a digest that distinguishes versions of a skill. It covers the files of the skill, the files
    /// of all skills that it calls, and everything else that affects the orders of its pipeline, including
    /// the version of this crate.
    ///
    /// # Errors
    /// The function does not exist.
    pub fn state(self, name: &str) -> Result<String, CallError> {
        let runner = self.runner;
        let mut bytes = fingerprint(runner, runner.find(name, None)?.skill, None);
        let limits = (runner.concurrency, runner.limits, env!("CARGO_PKG_VERSION"));
        bytes.extend(format!("{limits:?}").as_bytes());
        Ok(digest(&bytes))
    }

    /// Makes the span of a client the parent of a server span that has not been entered yet.
    pub fn adopt(self, span: &tracing::Span, client: Option<&TraceContext>) {
        if let (Some(propagation), Some(client)) = (&self.runner.propagation, client) {
            propagation.adopt(span, client);
        }
    }

    fn missing(self, name: &str) -> Option<String> {
        if self.runner.layers.callee(name).as_ref().is_some_and(Function::is_pipeline) {
            return None;
        }
        match Capabilities::function(self.runner, name) {
            Some(_) => self.runner.backend(name).err().map(|missing| missing.to_string()),
            None => Some(self.runner.layers.not_found(name).to_string()),
        }
    }
}
