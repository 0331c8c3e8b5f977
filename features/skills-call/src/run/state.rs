//! The state of a runner, and the state that all calls below one top-level call share.

use std::any::{TypeId, type_name};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value};
use skills_registry::{Backend, Registry, Skill};
use skills_template::render::RenderLimits;

use crate::mcp::ToolServers;
use crate::model::{LanguageModel, Usage};
use crate::trace::TraceContext;
use crate::{
    CallError, CallOptions, Cancellation, Dispatch, Event, Function, Functions, Layers, Loader, Missing,
    MissingCapability, Observer, OnDemand, StepStore, Steps,
};
use skills_exec::{Executor, RunOptions, StderrLog};
use skills_runtime::capabilities::{Capabilities, backend_with_callees, missing_function};

/// How many skills a call runs at once by default.
pub(crate) const CONCURRENCY: usize = 8;

/// A bundle whose typed inputs a runner accepts.
#[derive(Clone, Copy)]
pub(crate) struct TypedBundle {
    /// The type of the bundle ([`Input::Bundle`](crate::Input::Bundle)).
    id: TypeId,
    /// The path of the module that contains the bundle.
    module: &'static str,
    functions: &'static Functions,
}

impl TypedBundle {
    pub(crate) fn new<B: 'static>(functions: &'static Functions) -> Self {
        let module = type_name::<B>().trim_end_matches("::Bundle");
        let module = module.trim_end_matches("::call_skills_once_in_a_module");
        Self { id: TypeId::of::<B>(), module, functions }
    }
}

/// The functions of a host, with the bundle whose trait they implement, if any.
#[derive(Clone)]
pub(crate) struct Hosted {
    pub(crate) bundle: Option<&'static Registry>,
    pub(crate) host: Arc<dyn Dispatch>,
}

impl Hosted {
    /// Returns `true` if the host may have a function for a skill. The functions of a bundle are not used for
    /// a skill of the same name in another bundle or on a server. For a skill on disk, any host with a function of that name
    /// is used.
    fn is_for(&self, skill: Skill<'_>) -> bool {
        let Some(bundle) = self.bundle.filter(|_| skill.is_bundled()) else { return true };
        bundle.get(skill.name()).is_some_and(|own| own.is(skill))
    }
}

/// The state of a runner. Cloning it only copies references.
#[derive(Clone)]
pub(crate) struct RunnerState {
    /// The skills: the runner's own layers and the layers of merged runners, in the order in which they were set.
    pub(crate) layers: Layers,
    /// The bundles with typed calls: the runner's own bundle, then the merged ones.
    pub(crate) bundles: Vec<TypedBundle>,
    /// The runner's own host functions.
    pub(crate) host: Option<Hosted>,
    pub(crate) merged_hosts: Vec<Hosted>,
    pub(crate) model: Option<Arc<dyn LanguageModel>>,
    pub(crate) mcp: Option<Arc<dyn ToolServers>>,
    pub(crate) workspace: Option<PathBuf>,
    pub(crate) programs: RunOptions,
    /// The executor of programs; `None` runs them as processes.
    pub(crate) executor: Option<Arc<dyn Executor>>,
    pub(crate) concurrency: usize,
    pub(crate) limits: RenderLimits,
    pub(crate) on_event: Option<Observer>,
    pub(crate) payloads_in_events: bool,
    pub(crate) store: Option<Arc<dyn StepStore>>,
    /// Makes all calls in another process; `None` makes them here.
    pub(crate) remote: Option<Arc<dyn crate::durable::RemoteCalls>>,
    /// Maps spans to their ids in other programs.
    pub(crate) propagation: Option<Arc<dyn crate::trace::Propagation>>,
    /// The tool that a model uses to read skills.
    pub(crate) loader: Loader,
    /// Selects the skills that a prompt lists; `None` lists all.
    pub(crate) on_demand: Option<OnDemand>,
    pub(crate) offers_functions: bool,
}

impl RunnerState {
    pub(crate) fn new(layers: Layers, programs: RunOptions) -> Self {
        Self {
            layers,
            bundles: Vec::new(),
            host: None,
            merged_hosts: Vec::new(),
            model: None,
            mcp: None,
            workspace: None,
            programs,
            executor: None,
            concurrency: CONCURRENCY,
            limits: RenderLimits::default(),
            on_event: None,
            payloads_in_events: false,
            store: None,
            remote: None,
            propagation: None,
            loader: Loader::default(),
            on_demand: None,
            offers_functions: true,
        }
    }

    /// Exchanges the skills.
    pub(crate) fn change_layers(&mut self, change: impl FnOnce(Layers) -> Layers) {
        self.layers = change(self.layers.clone());
    }

    /// Adds the skills, the typed calls and the host functions of another runner.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.bundles.extend(&other.bundles);
        self.merged_hosts.extend(other.host.iter().chain(&other.merged_hosts).cloned());
        self.change_layers(|layers| layers.merge(other.layers.clone()));
    }

    /// Finds the function for a call by its name. A typed call, which has a bundle, runs the skill of this bundle, or the
    /// skill that hides it in the same set of layers if both have equal schemas; see [`Layers::typed_winner`].
    pub(crate) fn find(&self, name: &str, bundle: Option<TypeId>) -> Result<Function<'_>, CallError> {
        let layers = &self.layers;
        if bundle.is_some_and(|id| self.bundles.iter().all(|known| known.id != id)) {
            return Err(CallError::OtherBundle { skill: name.to_owned() });
        }
        let found = bundle.map_or_else(|| layers.callee(name), |bundle| self.typed(name, bundle));
        found.ok_or_else(|| match layers.get(name) {
            Some(_) => Missing { skill: name.to_owned(), capability: MissingCapability::Function }.into(),
            None => match layers.untrusted(name) {
                Some(untrusted) => CallError::NotTrusted(untrusted),
                None => CallError::NotFound(layers.not_found(name)),
            },
        })
    }

    /// Checks that an outside caller can use a skill of this name, whether the skill exists or not. Fails if
    /// the runner was narrowed to other skills.
    pub(crate) fn admit(&self, name: &str) -> Result<(), CallError> {
        let layers = &self.layers;
        if layers.is_narrowed() && layers.get(name).is_none() && layers.untrusted(name).is_none() {
            return Err(CallError::NotFound(layers.not_found(name)));
        }
        Ok(())
    }

    /// Returns the backend that would run a function, if all capabilities that its calls need are available.
    pub(crate) fn backend(&self, name: &str) -> Result<Backend, Missing> {
        let found = self.admit(name).ok().and_then(|()| Capabilities::function(self, name));
        backend_with_callees(self, found.ok_or_else(|| missing_function(self, name))?)
    }

    pub(crate) fn typed(&self, name: &str, bundle: TypeId) -> Option<Function<'_>> {
        let bundle = self.bundles.iter().find(|known| known.id == bundle)?;
        self.layers.typed_function(bundle.functions.find(name)?)
    }

    /// Returns a line for each bundle whose skills are not used, because the layers of the runner do not contain it.
    pub(crate) fn missing_bundles(&self) -> impl Iterator<Item = String> {
        let missing = self.bundles.iter().filter(|own| !self.layers.has_bundle(own.functions.registry()));
        missing.map(|own| {
            format!("the layers do not contain the bundle of `{}`, so its skills are not used", own.module)
        })
    }

    /// Describes the source of a skill: its bundle, or else its place.
    pub(crate) fn origin(&self, skill: Skill<'_>) -> String {
        match self
            .bundles
            .iter()
            .find(|bundle| bundle.functions.registry().get(skill.name()).is_some_and(|own| own.is(skill)))
        {
            Some(bundle) => format!("the bundle of `{}`", bundle.module),
            None => format!("`{}`", skill.location()),
        }
    }

    pub(crate) fn bundle_digest(&self) -> Option<String> {
        self.bundles.first()?.functions.registry().digest_hex()
    }

    /// Returns the hosts that may have a function for a skill.
    pub(crate) fn hosts(&self, skill: Skill<'_>) -> impl Iterator<Item = &dyn Dispatch> {
        let hosts = self.host.iter().chain(&self.merged_hosts);
        hosts.filter(move |hosted| hosted.is_for(skill)).map(|hosted| &*hosted.host)
    }
}

impl Capabilities for RunnerState {
    fn function(&self, name: &str) -> Option<Skill<'_>> {
        self.layers.callee(name).map(|function| function.skill)
    }

    fn serves(&self, name: &str) -> bool {
        self.layers
            .callee(name)
            .is_some_and(|function| self.hosts(function.skill).any(|host| host.serves(name)))
    }

    fn has_model(&self) -> bool {
        self.model.is_some()
    }

    fn has_mcp(&self) -> bool {
        self.mcp.is_some()
    }

    fn is_untrusted(&self, name: &str) -> bool {
        self.layers.untrusted(name).is_some()
    }
}

/// The state of one top-level call, which all calls below it share.
pub(crate) struct CallState {
    pub(crate) runner: Arc<RunnerState>,
    pub(crate) workspace: Option<PathBuf>,
    /// The key of the run in the journal.
    pub(crate) run_key: Option<String>,
    /// Makes the attempts of steps; `None` makes them in this process.
    pub(crate) steps: Option<Arc<dyn Steps>>,
    pub(crate) cancellation: Cancellation,
    /// The trace context of the caller in another program.
    pub(crate) trace: Option<TraceContext>,
    pub(crate) stderr_log: Option<StderrLog>,
    on_event: Option<Observer>,
    scratch: Mutex<Map<String, Value>>,
    usage: Mutex<Usage>,
}

impl CallState {
    pub(crate) fn new(runner: Arc<RunnerState>, options: CallOptions) -> Self {
        Self {
            workspace: options.workspace.or_else(|| runner.workspace.clone()),
            run_key: options.journal,
            steps: options.steps,
            cancellation: options.cancellation.unwrap_or_default(),
            trace: options.trace,
            stderr_log: options.stderr_log,
            on_event: options.on_event,
            scratch: Mutex::default(),
            usage: Mutex::default(),
            runner,
        }
    }

    /// Returns `true` if the call has an observer.
    pub(crate) fn is_observed(&self) -> bool {
        self.runner.on_event.is_some() || self.on_event.is_some()
    }

    /// Reports an event to the observers. The event is only built if there is an observer.
    pub(crate) fn emit(&self, event: impl FnOnce() -> Event) {
        let observers = [&self.runner.on_event, &self.on_event];
        let is_traced = Event::is_traced();
        if !is_traced && observers.iter().all(|observer| observer.is_none()) {
            return;
        }
        let event = event();
        event.trace();
        for observer in observers.into_iter().flatten() {
            observer(&event);
        }
    }

    /// Returns an input or output for an event, if the host enabled payloads in events.
    pub(crate) fn payload(&self, text: &str) -> Option<String> {
        self.runner.payloads_in_events.then(|| text.to_owned())
    }

    pub(crate) fn scratch<T>(&self, look: impl FnOnce(&mut Map<String, Value>) -> T) -> T {
        look(&mut self.scratch.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn pay(&self, usage: Usage) {
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner) += usage;
    }

    pub(crate) fn usage(&self) -> Usage {
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
