//! The setters of a runner: its model, how programs run, where steps are saved, and its observer.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Event, Runner, StepStore};
use crate::model::LanguageModel;
use skills_exec::{Caps, Confinement, Environment, Executor, Sandbox};
use skills_runtime::__setters as setters;

impl<B> Runner<B> {
    setters! {
        in engine_mut;
        /// Sets the model that `llm` skills ask.
        model(model: impl LanguageModel) => model = Some(Arc::new(model));
        /// Sets the workspace of calls. By default there is none, and programs run in the caller's directory.
        workspace(path: impl Into<PathBuf>) => workspace = Some(path.into());
        /// Sets what programs see of the environment; by default the names of [`DEFAULT_NAMES`](skills_exec::DEFAULT_NAMES).
        environment(environment: Environment) => programs.environment = environment;
        /// Sets where the files of bundled skills are unpacked; by default in the user's cache (SPEC 7.4).
        #[cfg(unix)]
        cache(cache: skills_exec::cache::Cache) => programs.cache = cache;
        /// Sets how much of the outputs of programs is kept; by default 1 MiB of each (SPEC 7.2).
        caps(caps: Caps) => programs.caps = caps;
        /// Sets what programs may do, and when the kernel keeps them to that: what their skill asks for and this allows
        /// (SPEC 13.5). By default they are not confined.
        confinement(confinement: Confinement) => programs.confinement = confinement;
        /// Confines programs, whatever their skills ask for; by default to nothing. Where that cannot be had, no program is run
        /// (SPEC 7.1).
        sandbox(sandbox: Sandbox) => programs.sandbox = Some(sandbox);
        /// Sets what runs programs; by default they are processes of this machine.
        executor(executor: impl Executor) => executor = Some(Arc::new(executor));
        /// Sets how many steps of one pipeline, and how many items of one `foreach` without a limit of its own, run at
        /// once: 8 by default, at least 1.
        concurrency(count: usize) => concurrency = count.max(1);
        /// Sets the observer of events. It must not block.
        on_event(observer: impl Fn(&Event) + Send + Sync + 'static) => on_event = Some(Arc::new(observer));
        /// Sets whether events hold inputs and outputs; they may be secret, so by default not (SPEC 7.6).
        payloads_in_events(tell: bool) => tells_payloads = tell;
        /// Sets who knows the spans of calls by their ids in other programs (SPEC 20.3): what exports them. Without it programs are
        /// told what the caller was.
        propagation(propagation: impl crate::trace::Propagation) => propagation = Some(Arc::new(propagation));
        /// Sets whether spans name skills by the attributes that are proposed for them, `gen_ai.skill.*`; by default not
        /// (SPEC 20.2).
        skill_attributes(tell: bool) => tells_skills = tell;
        /// Sets where finished steps are written down; [`CallOptions::journal`](super::CallOptions::journal) names the run.
        journal(store: impl StepStore) => store = Some(Arc::new(store));
    }

    /// Changes what [`Runner::confinement`] was set to.
    pub fn change_confinement(self, change: impl FnOnce(Confinement) -> Confinement) -> Self {
        self.change(|engine| {
            let confinement = std::mem::take(&mut engine.programs.confinement);
            engine.programs.confinement = change(confinement);
        })
    }

    /// Sets how many bytes a template, a program or a model may put out; by default 16 MiB for templates and models,
    /// and 1 MiB for each output of a program. What has more fails.
    pub fn max_output(self, bytes: usize) -> Self {
        self.change(|engine| {
            engine.limits.bytes = bytes;
            engine.programs.caps.stdout = bytes;
            engine.programs.caps.stderr = bytes;
        })
    }

    /// Puts a span of a server, which nobody has entered yet, below that of its client (SPEC 20.3).
    pub fn adopt(&self, span: &tracing::Span, client: Option<&crate::trace::TraceContext>) {
        if let (Some(propagation), Some(client)) = (&self.engine.propagation, client) {
            propagation.adopt(span, client);
        }
    }
}
