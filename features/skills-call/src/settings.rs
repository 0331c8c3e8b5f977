//! The settings of a runner: its model, how programs run, where steps are saved, and which tools a model gets.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Event, Loader, OnDemand, Runner, StepStore};
use crate::durable::RemoteCalls;
use crate::mcp::ToolServers;
use crate::model::LanguageModel;
use skills_exec::{Caps, Confinement, Environment, Executor, Sandbox};
use skills_runtime::__setters as setters;

impl<B> Runner<B> {
    setters! {
        in engine_mut;
        /// Sets the model of `llm` skills.
        model(model: impl LanguageModel) => model = Some(Arc::new(model));
        /// Sets the MCP servers whose tools `mcp` skills call. Without them, only a host function can run
        /// such a skill.
        mcp(servers: impl ToolServers) => mcp = Some(Arc::new(servers));
        /// Sets the working directory of calls; by default it is unset, and programs run in the caller's
        /// directory.
        workspace(path: impl Into<PathBuf>) => workspace = Some(path.into());
        /// Sets the environment variables that programs see; by default the variables in
        /// [`DEFAULT_NAMES`](skills_exec::DEFAULT_NAMES).
        environment(environment: Environment) => programs.environment = environment;
        /// Sets the directory in which the files of bundled skills are unpacked; by default the user's cache.
        #[cfg(unix)]
        cache(cache: skills_exec::cache::Cache) => programs.cache = cache;
        /// Sets how much of each program output is kept; by default 1 MiB.
        caps(caps: Caps) => programs.caps = caps;
        /// Sets the permissions that programs can get, and when the kernel enforces them. A program gets the
        /// permissions that its skill requests and that this setting allows. By default programs are not
        /// confined.
        confinement(confinement: Confinement) => programs.confinement = confinement;
        /// Confines programs, whatever their skills request. If the confinement is not available, no program
        /// is run.
        sandbox(sandbox: Sandbox) => programs.sandbox = Some(sandbox);
        /// Sets the executor of programs; by default programs run as processes on this machine.
        executor(executor: impl Executor) => executor = Some(Arc::new(executor));
        /// Sets how many steps of one pipeline run at once, and how many items of a `foreach` that sets no
        /// limit: 8 by default, at least 1.
        concurrency(count: usize) => concurrency = count.max(1);
        /// Sets the observer of events; it must not block.
        on_event(observer: impl Fn(&Event) + Send + Sync + 'static) => on_event = Some(Arc::new(observer));
        /// Sets whether events contain inputs and outputs. They may be secret, so the default is `false`.
        payloads_in_events(enabled: bool) => payloads_in_events = enabled;
        /// Sets the [`Propagation`](crate::trace::Propagation) that maps spans of calls to their ids in other
        /// programs, usually the exporter. Without it, programs get the trace context of the caller.
        propagation(propagation: impl crate::trace::Propagation) => propagation = Some(Arc::new(propagation));
        /// Sets the store of finished steps; [`CallOptions::journal`](super::CallOptions::journal) names the
        /// run.
        journal(store: impl StepStore) => store = Some(Arc::new(store));
        /// Makes all calls in another process, including typed calls. Inputs and outputs are checked here, but no skill
        /// runs in this process. The workers run their own skill of the same name, so its schemas should match
        /// the schemas of this runner.
        remote(remote: impl RemoteCalls) => remote = Some(Arc::new(remote));
        /// Sets the tool that a model uses to read skills: [`Loader::LoadSkill`] by default.
        loader(loader: Loader) => loader = loader;
        /// Lets a model find skills with the tool `search_skills`, in addition to the tool that loads them. The
        /// prompt then lists only pinned skills, and explains how to find others. By default every skill is
        /// listed.
        on_demand(on_demand: OnDemand) => on_demand = Some(on_demand);
    }

    /// Changes the setting of [`Runner::confinement`].
    pub fn change_confinement(self, change: impl FnOnce(Confinement) -> Confinement) -> Self {
        self.change(|engine| {
            let confinement = std::mem::take(&mut engine.programs.confinement);
            engine.programs.confinement = change(confinement);
        })
    }

    /// Sets the maximum output of a template, a program or a model in bytes. The default is 16 MiB for
    /// templates and models, and 1 MiB for each output of a program. Larger outputs are errors.
    pub fn max_output(self, bytes: usize) -> Self {
        self.change(|engine| {
            engine.limits.bytes = bytes;
            engine.programs.caps.stdout = bytes;
            engine.programs.caps.stderr = bytes;
        })
    }

    /// Makes the span of a client the parent of a server span that has not been entered yet.
    pub fn adopt(&self, span: &tracing::Span, client: Option<&crate::trace::TraceContext>) {
        if let (Some(propagation), Some(client)) = (&self.engine.propagation, client) {
            propagation.adopt(span, client);
        }
    }
}
