//! What a runner holds, and what all calls below one top-level call share.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};
use skills_registry::Skill;
use skills_template::Limits;

use super::{
    CallError, CallOptions, Cancellation, Dispatch, Event, Function, Library, Loader, Observer, StepStore,
};
use crate::at_hand::AtHand;
use crate::exec::{Executor, RunOptions};
use crate::model::{LanguageModel, Usage};

/// How many skills a call runs at once unless the host says otherwise.
pub(super) const CONCURRENCY: usize = 8;

/// What a runner holds. Copying it copies references.
#[derive(Clone)]
pub(super) struct Engine {
    pub(super) library: Arc<dyn Library>,
    /// Whether the library is the bundle, and nothing over it.
    pub(super) is_bundle: bool,
    pub(super) bundle: Option<super::Functions>,
    pub(super) host: Option<Arc<dyn Dispatch>>,
    pub(super) model: Option<Arc<dyn LanguageModel>>,
    pub(super) workspace: Option<PathBuf>,
    /// How programs are run, but for what a call says itself.
    pub(super) programs: RunOptions,
    /// What runs them; nothing for processes.
    pub(super) executor: Option<Arc<dyn Executor>>,
    pub(super) concurrency: usize,
    pub(super) limits: Limits,
    pub(super) on_event: Option<Observer>,
    pub(super) tells_payloads: bool,
    pub(super) store: Option<Arc<dyn StepStore>>,
    /// By which tool a model reads skills.
    pub(super) loader: Loader,
    /// Whether a model is offered functions.
    pub(super) offers_functions: bool,
    /// Whether the library holds back skills from callers outside; see [`Runner::only`](super::Runner::only).
    pub(super) is_narrowed: bool,
}

impl Engine {
    /// Makes an engine whose programs see the usual part of the environment, and are unpacked in the user's cache.
    pub(super) fn new(library: Arc<dyn Library>) -> Self {
        Self { programs: RunOptions::of_process(), ..Self::bare(library) }
    }

    /// Makes an engine that runs no programs.
    pub(super) fn bare(library: Arc<dyn Library>) -> Self {
        Self {
            library,
            is_bundle: false,
            bundle: None,
            host: None,
            model: None,
            workspace: None,
            programs: RunOptions::bare(),
            executor: None,
            concurrency: CONCURRENCY,
            limits: Limits::default(),
            on_event: None,
            tells_payloads: false,
            store: None,
            loader: Loader::default(),
            offers_functions: true,
            is_narrowed: false,
        }
    }

    /// Finds what a call runs: for a typed call that of the bundle (SPEC 1.6), else the winner.
    pub(super) fn find(&self, name: &str, is_typed: bool) -> Result<Function<'_>, CallError> {
        let library = &self.library;
        let found = if is_typed { library.typed_function(name) } else { self.callee(name) };
        found.ok_or_else(|| match library.skill(name) {
            Some(_) => CallError::NotAFunction { skill: name.to_owned() },
            None => CallError::NotFound(library.not_found(name)),
        })
    }

    /// Lets a caller outside through to a skill of this name, whether there is one or not.
    ///
    /// # Errors
    /// The runner was narrowed to others, so that this one is as unknown as one that does not exist.
    pub(super) fn admit(&self, name: &str) -> Result<(), CallError> {
        if self.is_narrowed && self.library.skill(name).is_none() {
            return Err(CallError::NotFound(self.library.not_found(name)));
        }
        Ok(())
    }

    /// Finds what a call by name runs: a function, or a program of tier 3 (SPEC 6.3).
    pub(super) fn callee(&self, name: &str) -> Option<Function<'_>> {
        let program = || Function::of_program(self.library.program(name)?);
        self.library.function(name).or_else(program)
    }
}

impl AtHand for Engine {
    fn function(&self, name: &str) -> Option<Skill<'_>> {
        self.callee(name).map(|function| function.skill)
    }

    fn serves(&self, name: &str) -> bool {
        self.host.as_ref().is_some_and(|host| host.serves(name))
    }

    fn has_model(&self) -> bool {
        self.model.is_some()
    }
}

/// One top-level call: shared by all calls below it.
pub(super) struct Call {
    pub(super) engine: Arc<Engine>,
    pub(super) workspace: Option<PathBuf>,
    pub(super) journal: Option<String>,
    pub(super) cancellation: Cancellation,
    on_event: Option<Observer>,
    scratch: Mutex<Map<String, Value>>,
    usage: Mutex<Usage>,
}

impl Call {
    pub(super) fn new(engine: Arc<Engine>, options: CallOptions) -> Self {
        Self {
            workspace: options.workspace.or_else(|| engine.workspace.clone()),
            journal: options.journal,
            cancellation: options.cancellation.unwrap_or_default(),
            on_event: options.on_event,
            scratch: Mutex::default(),
            usage: Mutex::default(),
            engine,
        }
    }

    /// Tells an event to whoever listens; nothing is put together when nobody does.
    pub(super) fn tell(&self, event: impl FnOnce() -> Event) {
        let observers = [&self.engine.on_event, &self.on_event];
        #[cfg(feature = "tracing")]
        let is_traced = Event::is_traced();
        #[cfg(not(feature = "tracing"))]
        let is_traced = false;
        if !is_traced && observers.iter().all(|observer| observer.is_none()) {
            return;
        }
        let event = event();
        #[cfg(feature = "tracing")]
        event.trace();
        for observer in observers.into_iter().flatten() {
            observer(&event);
        }
    }

    /// Returns an input or output for an event, when the host asks for them.
    pub(super) fn payload(&self, text: &str) -> Option<String> {
        self.engine.tells_payloads.then(|| text.to_owned())
    }

    pub(super) fn scratch<T>(&self, look: impl FnOnce(&mut Map<String, Value>) -> T) -> T {
        look(&mut self.scratch.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn pay(&self, usage: Usage) {
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner) += usage;
    }

    pub(super) fn usage(&self) -> Usage {
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The library of a [`Context`](super::Context) that belongs to no runner.
pub(super) struct Empty;

impl Library for Empty {
    fn function(&self, _: &str) -> Option<Function<'_>> {
        None
    }

    fn skill(&self, _: &str) -> Option<Skill<'_>> {
        None
    }

    fn skills(&self) -> Vec<Skill<'_>> {
        Vec::new()
    }
}
