//! What a runner is set up with: its model, how programs run, where steps are written down, who is told.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Event, Runner, StepStore};
use crate::exec::{Caps, Confinement, Environment, Executor, Sandbox};
use crate::model::LanguageModel;

impl<B> Runner<B> {
    /// Sets the model that `llm` skills ask.
    pub fn model(self, model: impl LanguageModel) -> Self {
        self.change(|engine| engine.model = Some(Arc::new(model)))
    }

    /// Sets the directory that calls work in; by default there is none, and programs run where the caller does.
    pub fn workspace(self, path: impl Into<PathBuf>) -> Self {
        self.change(|engine| engine.workspace = Some(path.into()))
    }

    /// Sets what programs see of the environment; by default the names of [`DEFAULT_NAMES`](crate::exec::DEFAULT_NAMES).
    pub fn environment(self, environment: Environment) -> Self {
        self.change(|engine| engine.programs.environment = environment)
    }

    /// Sets where the files of bundled skills are unpacked; by default in the user's cache (SPEC 7.4).
    #[cfg(unix)]
    pub fn cache(self, cache: crate::cache::Cache) -> Self {
        self.change(|engine| engine.programs.cache = cache)
    }

    /// Sets how much of the outputs of programs is kept; by default 1 MiB of each (SPEC 7.2).
    pub fn caps(self, caps: Caps) -> Self {
        self.change(|engine| engine.programs.caps = caps)
    }

    /// Sets what programs may do, and when the kernel keeps them to that: what their skill asks for and this allows
    /// (SPEC 13.5). By default they are not confined.
    pub fn confinement(self, confinement: Confinement) -> Self {
        self.change(|engine| engine.programs.confinement = confinement)
    }

    /// Changes what [`Runner::confinement`] was set to.
    pub fn change_confinement(self, change: impl FnOnce(Confinement) -> Confinement) -> Self {
        self.change(|engine| {
            let confinement = std::mem::take(&mut engine.programs.confinement);
            engine.programs.confinement = change(confinement);
        })
    }

    /// Confines programs, whatever their skills ask for; by default to nothing. Where that cannot be had, no program is run
    /// (SPEC 7.1).
    pub fn sandbox(self, sandbox: Sandbox) -> Self {
        self.change(|engine| engine.programs.sandbox = Some(sandbox))
    }

    /// Sets whether a program is refused when nobody would end it should this process be killed; by default it is. See
    /// [`Request::watched`](crate::exec::Request::watched).
    pub fn watched(self, watched: bool) -> Self {
        self.change(|engine| engine.programs.watched = watched)
    }

    /// Sets what runs programs; by default they are processes of this machine.
    pub fn executor(self, executor: impl Executor) -> Self {
        self.change(|engine| engine.executor = Some(Arc::new(executor)))
    }

    /// Sets how many steps of one pipeline, and how many items of one `foreach` without a limit of its own, run at
    /// once: 8 by default, at least 1.
    pub fn concurrency(self, count: usize) -> Self {
        self.change(|engine| engine.concurrency = count.max(1))
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

    /// Sets who is told what happens in calls (SPEC 7.6); it must not block.
    pub fn on_event(self, observer: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        self.change(|engine| engine.on_event = Some(Arc::new(observer)))
    }

    /// Sets whether events hold inputs and outputs; they may be secret, so by default not (SPEC 7.6).
    pub fn payloads_in_events(self, tell: bool) -> Self {
        self.change(|engine| engine.tells_payloads = tell)
    }

    /// Sets who knows the spans of calls by their ids in other programs (SPEC 20.3): what exports them. Without it programs are
    /// told what the caller was.
    #[cfg(feature = "tracing")]
    pub fn propagation(self, propagation: impl crate::trace::Propagation) -> Self {
        self.change(|engine| engine.propagation = Some(Arc::new(propagation)))
    }

    /// Sets whether spans name skills by the attributes that are proposed for them, `gen_ai.skill.*`; by default not
    /// (SPEC 20.2).
    #[cfg(feature = "tracing")]
    pub fn skill_attributes(self, tell: bool) -> Self {
        self.change(|engine| engine.tells_skills = tell)
    }

    /// Puts a span of a server, which nobody has entered yet, below that of its client (SPEC 20.3).
    #[cfg(feature = "tracing")]
    pub fn adopt(&self, span: &tracing::Span, client: Option<&crate::trace::TraceContext>) {
        if let (Some(propagation), Some(client)) = (&self.engine.propagation, client) {
            propagation.adopt(span, client);
        }
    }

    /// Sets where finished steps are written down; [`CallOptions::journal`](super::CallOptions::journal) names the run.
    pub fn journal(self, store: impl StepStore) -> Self {
        self.change(|engine| engine.store = Some(Arc::new(store)))
    }
}
