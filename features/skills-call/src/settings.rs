//! The settings of a runner: its skills, hosts and model, how programs run, where steps are saved, and which tools a model
//! gets.

use std::path::PathBuf;
use std::sync::Arc;

use super::run::state::Hosted;
use super::{Dispatch, Event, Layers, Loader, OnDemand, Runner, StepStore};
use crate::durable::RemoteCalls;
use crate::mcp::ToolServers;
use crate::model::LanguageModel;
use skills_exec::{Caps, Confinement, Environment, Executor, Sandbox};
use skills_registry::Skill;
use skills_runtime::__setters as setters;

impl<B> Runner<B> {
    setters! {
        in state_mut;
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

    /// Grants capabilities to skills: `grants` is called with `x` for `cap:x`. By default no capability is
    /// granted. If a skill requires a capability that is not granted, calls, lists and models treat the skill
    /// as if it did not exist.
    ///
    /// This applies to all skills of the runner: of its bundle, of layers and of merged runners, whether they
    /// are set before or after. Capabilities that the layers grant themselves, and those of earlier calls,
    /// stay granted.
    pub fn grant(self, grants: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.change(|state| state.change_layers(|layers| layers.granting(grants)))
    }

    /// Looks up skills in layers of bundles and of directories, instead of in the bundle of this runner. They lie
    /// above all runners that were [merged](Self::merge) before, so list all bundles in them, in the wanted order.
    /// [`problems`](Self::problems) names the bundle of this runner if the layers do not contain it. The winner of a
    /// name runs, except for a typed call if the winner has other types.
    ///
    /// Layers are immutable. A runner for the layers of `skills_load::Live` is cheap to create, so
    /// create one when needed.
    pub fn layers(self, layers: impl Into<Layers>) -> Self {
        self.change(|state| state.change_layers(|own| own.replace(layers.into())))
    }

    /// Sets the host functions of this runner. They are used for code skills of any bundle. The host
    /// functions of merged runners are kept.
    pub fn host(self, host: impl Dispatch) -> Self {
        self.change(|state| state.host = Some(Hosted { bundle: None, host: Arc::new(host) }))
    }

    /// Adds the skills of another runner, for example of the program's bundle to a library's, with its host
    /// functions. Its skills are a layer above this runner's skills: if the names of two skills are the same, or
    /// differ only in `-` and `_`, the skill of the runner that was merged last is used, and
    /// [`problems`](Self::problems) names the other. A runner that was narrowed by [`only`](Self::only) adds only
    /// those skills. All other settings of the other runner are ignored. The host of a bundle is used for the skills
    /// of that bundle and for skills on disk. [`call`](Self::call) accepts the typed inputs of both bundles.
    ///
    /// ```ignore
    /// let runner = library::SKILLS.with(library::Host).merge(SKILLS.with(Host));
    /// ```
    pub fn merge<C>(self, other: Runner<C>) -> Self {
        self.change(|state| state.merge(&other.state))
    }

    /// Offers no functions to a model, so it can only read skills.
    pub fn read_only(self) -> Self {
        self.change(|state| state.offers_functions = false)
    }

    /// Narrows the runner to some skills, for example for a sub-agent. Tools, prompts, lists and calls by
    /// name treat other skills as missing. The selected skills can still call other skills. Typed calls,
    /// which the program makes, are not restricted.
    ///
    /// This also narrows layers and merged runners that are set later. If this is called again, a
    /// skill must be accepted by both functions.
    pub fn only(self, wanted: impl Fn(Skill<'_>) -> bool + Send + Sync + 'static) -> Self {
        self.change(|state| state.change_layers(|layers| layers.only(wanted)))
    }

    /// Changes the setting of [`Runner::confinement`].
    pub fn change_confinement(self, change: impl FnOnce(Confinement) -> Confinement) -> Self {
        self.change(|state| {
            let confinement = std::mem::take(&mut state.programs.confinement);
            state.programs.confinement = change(confinement);
        })
    }

    /// Sets the maximum output of a template, a program or a model in bytes. The default is 16 MiB for
    /// templates and models, and 1 MiB for each output of a program. Larger outputs are errors.
    pub fn max_output(self, bytes: usize) -> Self {
        self.change(|state| {
            state.limits.bytes = bytes;
            state.programs.caps.stdout = bytes;
            state.programs.caps.stderr = bytes;
        })
    }
}
