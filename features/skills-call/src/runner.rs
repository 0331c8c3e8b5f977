//! The door to all calls: a library of skills, what serves them, and the ways to call one.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use futures_util::future::{Either, select};
use serde_json::Value;
use skills_registry::Backend;

use super::merged::{Hosted, Merged};
use super::run::engine::{Call, Engine};
use super::run::plan::plan;
use super::run::{Invocation, Produced, parse_output, program, run};
use super::steps::Journaled;
use super::{
    CallError, CallOptions, Called, Dispatch, Functions, Held, Input, Library, Missing, Output, Plan,
};
use crate::model::LanguageModel;
use skills_exec::{ExecOptions, Execution};
use skills_runtime::capabilities::{Capabilities, absent, all};
use skills_runtime::typed::Checked;

/// Calls skills: checks the input, runs the skill by its host, program, model or pipeline, checks the output (SPEC 6.4).
///
/// A clone shares everything. `B` is the bundle whose typed inputs [`Runner::call`] takes; `()` has none, and calls by
/// name.
///
/// Calls need a tokio runtime with its timer. Nothing is spawned: dropping a call ends all that it started.
#[must_use]
pub struct Runner<B = ()> {
    pub(super) engine: Arc<Engine>,
    bundle: PhantomData<fn() -> B>,
}

impl Runner {
    /// Makes a runner of any library, such as the layers of a bundle and directories.
    pub fn new(library: impl Library) -> Self {
        Self::from(Arc::new(library))
    }
}

impl<L: Library> From<Arc<L>> for Runner {
    /// Makes a runner of a library that others share, such as a snapshot of layers.
    fn from(library: Arc<L>) -> Self {
        Self { engine: Arc::new(Engine::new(library)), bundle: PhantomData }
    }
}

#[cfg(feature = "load")]
impl From<skills_load::Layers> for Runner {
    /// Makes a runner of layers without a bundle whose types a program knows.
    fn from(layers: skills_load::Layers) -> Self {
        Self::new(layers)
    }
}

impl<B> Runner<B> {
    /// Makes the runner of a bundle; generated code calls it.
    #[doc(hidden)]
    pub fn of_bundle(functions: &'static Functions, host: Option<Arc<dyn Dispatch>>) -> Self {
        let mut engine = Engine::new(Arc::new(*functions));
        engine.hosts.extend(host.map(|host| Hosted { bundle: Some(*functions), host }));
        engine.bundles.push(*functions);
        engine.is_bundle = true;
        Self { engine: Arc::new(engine), bundle: PhantomData }
    }

    /// Forgets which bundle this is the runner of: it then calls by name only, which is all that servers do.
    pub fn untyped(self) -> Runner {
        Runner { engine: self.engine, bundle: PhantomData }
    }

    pub(super) fn change(mut self, change: impl FnOnce(&mut Engine)) -> Self {
        change(self.engine_mut());
        self
    }

    pub(super) fn engine_mut(&mut self) -> &mut Engine {
        Arc::make_mut(&mut self.engine)
    }

    /// Looks skills up elsewhere.
    pub fn library(self, library: impl Library) -> Self {
        self.change(|engine| engine.look_up(Arc::new(library)))
    }

    /// Grants the skills of the bundle the capabilities that the host has: it is asked about `x` for `cap:x` (default:
    /// none; SPEC 2.9). A skill that asks for one that is not granted is as unknown to calls, lists and models as one that
    /// does not exist.
    ///
    /// Layers (by the `grant` of their builder) and any other library say themselves what is granted, so this does nothing
    /// for them.
    pub fn grant(self, grants: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.change(|engine| {
            if let Some(functions) = engine.bundles.first().filter(|_| engine.is_bundle) {
                engine.library = Arc::new(functions.grant(grants));
            }
        })
    }

    /// Looks skills up in layers of this bundle and of directories: the winner of a name runs, but for a typed call whose
    /// types it does not have (SPEC 1.6). What is granted is what the builder of the layers says.
    ///
    /// Layers do not change; a runner for those of [`Live`](skills_load::Live) costs a few copies, so make one when needed.
    #[cfg(feature = "load")]
    pub fn layers(self, layers: impl Into<Arc<skills_load::Layers>>) -> Self {
        self.change(|engine| engine.look_up(layers.into()))
    }

    /// Sets the functions that serve code skills, of whatever bundle.
    pub fn host(self, host: impl Dispatch) -> Self {
        self.change(|engine| engine.hosts = vec![Hosted { bundle: None, host: Arc::new(host) }])
    }

    /// Adds the skills of another runner, such as that of a library's bundle, and what its host serves. Of two skills with
    /// one name this runner's own is meant; layers, set later, decide that themselves. All else is as this runner has it,
    /// and the host of a bundle serves its skills, and skills on disk.
    ///
    /// ```ignore
    /// let runner = SKILLS.with(Host).merge(library::SKILLS.with(library::Host));
    /// ```
    pub fn merge<C>(self, other: Runner<C>) -> Self {
        self.change(|engine| {
            let Engine { library, bundles, hosts, .. } = &*other.engine;
            engine.bundles.extend(bundles);
            engine.hosts.extend_from_slice(hosts);
            let first = Arc::clone(&engine.library);
            let other = Some(Arc::clone(library));
            engine.look_up(Arc::new(Merged { first, other, wanted: Box::new(|_| true) }));
        })
    }

    /// Returns where this runner looks skills up.
    pub fn skills(&self) -> &dyn Library {
        &*self.engine.library
    }

    /// Returns what the skills are run with.
    pub fn capabilities(&self) -> &dyn Capabilities {
        &*self.engine
    }

    /// Returns the model that `llm` skills ask, when there is one.
    pub fn language_model(&self) -> Option<Arc<dyn LanguageModel>> {
        self.engine.model.clone()
    }

    /// Returns the digest of the bundle that this is the runner of, in hexadecimal digits (SPEC 14.7); nothing for a runner of
    /// directories.
    pub fn bundle_digest(&self) -> Option<String> {
        self.engine.bundle_digest()
    }

    /// Returns the backend that would run a function, if all that each of its calls needs is available.
    ///
    /// # Errors
    /// Each call would fail: for want of a model, of a function of the host or a program, or of a skill of this name.
    pub fn backend(&self, name: &str) -> Result<Backend, Missing> {
        let found = self.engine.admit(name).ok().and_then(|()| self.engine.function(name));
        all(&*self.engine, found.ok_or_else(|| absent(&*self.engine, name))?)
    }

    /// Says what a call would do, without doing it: what `skills call --dry-run` shows. The input is JSON text.
    ///
    /// # Errors
    /// The function does not exist, the input does not fit, or the prompt cannot be rendered.
    pub fn plan(&self, name: &str, input: &str) -> Result<Plan, CallError> {
        self.engine.admit(name)?;
        plan(&self.engine, name, input)
    }

    /// Runs the program of a skill, whatever its input and output, and returns its outcome.
    ///
    /// What can be checked is checked before this returns: the program, the limit and the input, which gets its defaults
    /// (SPEC 4.3, 6.1); an empty text is no input. The program is then under way. Await it, or keep it as a handle: dropped,
    /// the program and all that it started is ended.
    ///
    /// # Errors
    /// The future ends with [`NotRun`](skills_exec::NotRun) when no process was started; that a program fails is an
    /// [`Outcome`](skills_exec::Outcome).
    pub fn exec(&self, name: &str, input: impl Into<String>, options: ExecOptions) -> Execution {
        program::exec(&self.engine, name, input.into(), options)
    }

    /// Calls a skill of the bundle.
    ///
    /// # Errors
    /// The input or the output does not fit, the skill failed or took too long, or nothing serves it.
    pub async fn call<I: Input<Bundle = B>>(&self, input: I) -> Result<I::Output, CallError> {
        Ok(self.call_with(input, CallOptions::default()).await?.output)
    }

    /// Calls a skill of the bundle, as `options` say.
    ///
    /// # Errors
    /// As [`Runner::call`].
    pub async fn call_with<I: Input<Bundle = B>>(
        &self,
        input: I,
        options: CallOptions,
    ) -> Result<Called<I::Output>, CallError> {
        let text = input.to_json();
        let (Called { output, steps, usage }, checked) = self.start(I::NAME, text, true, options).await?;
        let output = I::Output::from_checked(&output, checked)
            .map_err(|invalid| CallError::InvalidOutput { skill: I::NAME.to_owned(), invalid })?;
        Ok(Called { output, steps, usage })
    }

    /// Calls a skill by its name, with any JSON.
    ///
    /// # Errors
    /// As [`Runner::call`], and if there is no such function.
    pub async fn call_json(&self, name: &str, input: Value) -> Result<Value, CallError> {
        Ok(self.call_json_with(name, input, CallOptions::default()).await?.output)
    }

    /// Calls a skill by its name, as `options` say.
    ///
    /// # Errors
    /// As [`Runner::call_json`].
    pub async fn call_json_with(
        &self,
        name: &str,
        input: Value,
        options: CallOptions,
    ) -> Result<Called<Value>, CallError> {
        let (Called { output, steps, usage }, _) =
            self.start(name, input.to_string(), false, options).await?;
        Ok(Called { output: parse_output(name, &output)?, steps, usage })
    }

    /// Calls a skill by its name, JSON text in and out: numbers keep their digits and objects their order.
    ///
    /// # Errors
    /// As [`Runner::call_json`]. Input that is not JSON is invalid.
    pub async fn call_text(
        &self,
        name: &str,
        input: impl Into<String> + Send,
        options: CallOptions,
    ) -> Result<Called<String>, CallError> {
        Ok(self.start(name, input.into(), false, options).await?.0)
    }

    async fn start(
        &self,
        name: &str,
        input: String,
        is_typed: bool,
        mut options: CallOptions,
    ) -> Result<(Called<String>, Checked), CallError> {
        if !is_typed {
            self.engine.admit(name)?;
        }
        if let Some(result) = self.call_elsewhere(name, &input, is_typed, &mut options).await {
            return result;
        }
        let failed = |source| CallError::Journal { skill: name.to_owned(), source };
        let _held = match (&options.journal, &self.engine.store) {
            (Some(_), _) if options.steps.is_some() => {
                return Err(failed("other steps keep what is finished".into()));
            }
            (Some(run), Some(store)) => {
                let held = store.hold(run).await.map_err(failed)?;
                options.steps = Some(Arc::new(Journaled { store: Arc::clone(store), run: run.clone() }));
                held
            }
            (Some(_), None) => return Err(failed("the runner has none".into())),
            (None, _) => Held::default(),
        };
        let place = options.place.take().or_else(|| options.steps.as_ref().map(|_| name.to_owned()));
        let (timeout, depth) = (options.timeout, options.depth);
        let is_cancellable = options.cancellation.is_some();
        let call = Arc::new(Call::new(Arc::clone(&self.engine), options));
        let work = run(&call, Invocation { name, input, depth, parent: None, timeout, is_typed, place });
        let produced = if is_cancellable {
            let cancelled = std::pin::pin!(call.cancellation.cancelled());
            match select(cancelled, work).await {
                Either::Left(_) => return Err(CallError::Cancelled { skill: name.to_owned() }),
                Either::Right((result, _)) => result?,
            }
        } else {
            // Nobody else has a flag that was made for this call.
            work.await?
        };
        let Produced { text, steps, checked } = produced;
        Ok((Called { output: text, steps, usage: call.usage() }, checked))
    }
}

impl<B> Clone for Runner<B> {
    fn clone(&self) -> Self {
        Self { engine: Arc::clone(&self.engine), bundle: PhantomData }
    }
}

impl<B> fmt::Debug for Runner<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skills: Vec<&str> = self.engine.library.skills().into_iter().map(|skill| skill.name()).collect();
        f.debug_struct("Runner").field("skills", &skills).finish_non_exhaustive()
    }
}
