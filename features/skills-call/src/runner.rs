//! The runner, the entry point of all calls: it combines layers of skills with hosts, models and settings.

use std::any::TypeId;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use futures_util::future::{Either, select};
use serde_json::Value;
use skills_registry::{Backend, Skill, ToolFormat};

use super::run::plan::plan;
use super::run::state::{CallState, Hosted, RunnerState, TypedBundle};
use super::run::{Invocation, Produced, parse_output, program, run};
use super::steps::Journaled;
use super::{
    CallError, CallOptions, Called, Dispatch, Functions, Input, Layers, Missing, Output, Plan, RunLock,
    ServerAccess, ToolAnswer,
};
use crate::model::{Message, ToolDefinition};
use skills_exec::{ExecOptions, Execution, RunOptions};
use skills_runtime::layers::Shadowed;
use skills_runtime::tools::{Exclusion, Session};
use skills_runtime::typed::Checked;

/// Calls skills: checks the input, runs the skill by its host, program, model or pipeline, and checks the
/// output.
///
/// Clones share all state. `B` is the bundle that the runner was created for, or `()`.
///
/// Calls need a tokio runtime with its timer. Nothing is spawned: dropping a call ends everything that it
/// started.
///
/// A panic of a skill is its failure, [`CallError::Host`], as far as panics unwind.
#[must_use]
pub struct Runner<B = ()> {
    pub(super) state: Arc<RunnerState>,
    bundle: PhantomData<fn() -> B>,
}

impl Runner {
    /// Creates a runner of layers, such as those of a bundle and directories, without typed calls.
    pub fn new(layers: impl Into<Layers>) -> Self {
        Self {
            state: Arc::new(RunnerState::new(layers.into(), RunOptions::of_process())),
            bundle: PhantomData,
        }
    }
}

impl From<Layers> for Runner {
    fn from(layers: Layers) -> Self {
        Self::new(layers)
    }
}

impl From<Arc<Layers>> for Runner {
    fn from(layers: Arc<Layers>) -> Self {
        Self::new(layers)
    }
}

impl<B> Runner<B> {
    /// Creates the runner of a bundle; generated code calls it.
    #[doc(hidden)]
    pub fn of_bundle(functions: &'static Functions, host: Option<Arc<dyn Dispatch>>) -> Self
    where
        B: 'static,
    {
        let mut state = RunnerState::new(Layers::from(functions), RunOptions::of_process());
        state.host = host.map(|host| Hosted { bundle: Some(functions.registry()), host });
        state.bundles.push(TypedBundle::new::<B>(functions));
        Self { state: Arc::new(state), bundle: PhantomData }
    }

    /// Removes the bundle type, so that the runner only calls skills by name. Servers need no more than that.
    pub fn untyped(self) -> Runner {
        Runner { state: self.state, bundle: PhantomData }
    }

    pub(super) fn change(mut self, change: impl FnOnce(&mut RunnerState)) -> Self {
        change(self.state_mut());
        self
    }

    pub(super) fn state_mut(&mut self) -> &mut RunnerState {
        Arc::make_mut(&mut self.state)
    }

    /// Returns one line for each skill that is not used because a skill of a merged runner or of a higher layer has
    /// the same name, or a name that differs only in `-` and `_`. Each line names both sources. A bundle that the
    /// [layers](Self::layers) do not contain has a line too, and so has a [pinned](crate::OnDemand::pin) skill that
    /// the prompt does not list.
    pub fn problems(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.state.missing_bundles().collect();
        lines.extend(self.state.pin_problems().into_iter().map(|line| format!("pinned skills: {line}")));
        for Shadowed { lost, won, .. } in self.state.layers.shadowed() {
            let winner = match won.gated {
                false => format!("`{}` of {}", won.skill.name(), self.state.origin(won.skill)),
                true => "a skill that requires a capability that is not granted".to_owned(),
            };
            let origin = self.state.origin(lost.skill);
            lines.push(format!("`{}` of {origin} is shadowed by {winner}", lost.skill.name()));
        }
        lines
    }

    /// Returns the skills of this runner.
    pub fn skills(&self) -> &Layers {
        &self.state.layers
    }

    /// Returns the backend that would run a function of this name, if all capabilities that its calls need
    /// are available.
    ///
    /// # Errors
    /// Each call would fail because a model, a host function, a program, or the skill itself is missing.
    pub fn backend(&self, name: &str) -> Result<Backend, Missing> {
        self.state.backend(name)
    }

    /// Returns the plan of a call without running it, as `skills call --dry-run` shows it. The input is JSON
    /// text.
    ///
    /// # Errors
    /// The function does not exist, the input does not match its schema, or its prompt cannot be rendered.
    pub fn plan(&self, name: &str, input: &str) -> Result<Plan, CallError> {
        self.state.admit(name)?;
        plan(&self.state, name, input)
    }

    /// Runs the program of a skill with any input and output, and returns its outcome.
    ///
    /// Before this function returns, it checks the program, the time limit and the input, adds the defaults
    /// of the input, and starts the program. An empty text means that there is no input. Await the result, or
    /// keep it as a handle: dropping it ends the program and everything that the program started.
    ///
    /// # Errors
    /// The future returns [`NotRun`](skills_exec::NotRun) if no process was started. The failure of a program
    /// is an [`Outcome`](skills_exec::Outcome).
    pub fn exec(&self, name: &str, input: impl Into<String>, options: ExecOptions) -> Execution {
        program::exec(&self.state, name, input.into(), options)
    }

    /// Calls a skill with its typed input, of the runner's bundle or of a [merged](Self::merge) one. This runs the skill of
    /// the input's bundle, or the skill that hides it in the same set of layers if both have equal schemas; see
    /// [`Layers::typed_winner`].
    ///
    /// # Errors
    /// The bundle of the input is not part of this runner. The input or the output does not match its schema, the skill
    /// failed or took too long, or nothing serves it.
    pub async fn call<I: Input>(&self, input: I) -> Result<I::Output, CallError> {
        Ok(self.call_with(input, CallOptions::default()).await?.output)
    }

    /// Calls a skill with its typed input and with options.
    ///
    /// # Errors
    /// As [`Runner::call`].
    pub async fn call_with<I: Input>(
        &self,
        input: I,
        options: CallOptions,
    ) -> Result<Called<I::Output>, CallError> {
        let text = input.to_json();
        let (Called { output, steps, usage }, checked) =
            self.start(I::NAME, text, Some(TypeId::of::<I::Bundle>()), options).await?;
        let output = I::Output::from_checked(&output, checked);
        let output = output.map_err(|invalid| CallError::invalid_output(I::NAME, invalid))?;
        Ok(Called { output, steps, usage })
    }

    /// Calls a skill by its name, with any JSON value.
    ///
    /// # Errors
    /// As [`Runner::call`], or the function does not exist.
    pub async fn call_json(&self, name: &str, input: Value) -> Result<Value, CallError> {
        Ok(self.call_json_with(name, input, CallOptions::default()).await?.output)
    }

    /// Calls a skill by its name, with options.
    ///
    /// # Errors
    /// As [`Runner::call_json`].
    pub async fn call_json_with(
        &self,
        name: &str,
        input: Value,
        options: CallOptions,
    ) -> Result<Called<Value>, CallError> {
        let (Called { output, steps, usage }, _) = self.start(name, input.to_string(), None, options).await?;
        Ok(Called { output: parse_output(name, &output)?, steps, usage })
    }

    /// Calls a skill by its name, with JSON text as input and output. Numbers keep their digits, and objects
    /// keep their order.
    ///
    /// # Errors
    /// As [`Runner::call_json`]; text that is not valid JSON is an invalid input.
    pub async fn call_text(
        &self,
        name: &str,
        input: impl Into<String> + Send,
        options: CallOptions,
    ) -> Result<Called<String>, CallError> {
        Ok(self.start(name, input.into(), None, options).await?.0)
    }

    /// Returns `true` if a function of this name exists and has a [`backend`](Runner::backend). A function
    /// that is not callable is not offered as a tool, since each call would fail.
    pub fn is_callable(&self, name: &str) -> bool {
        self.backend(name).is_ok()
    }

    /// Answers a tool call of a model, with the arguments as the model wrote them. It handles every tool of
    /// [`Runner::tools`]; for any other name, the answer lists the existing tools. Invalid arguments,
    /// failures, time limits and panics also produce answers. An empty text means that there are no
    /// arguments.
    pub async fn dispatch(&self, name: &str, arguments: &str, options: &CallOptions) -> ToolAnswer {
        let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
        match self.state.answer_own_tool(name, arguments, options) {
            Some(answer) => answer,
            None => ToolAnswer::from_result(self.call_text(name, arguments, options.clone()).await),
        }
    }

    /// Returns everything that a model may call now, as a JSON array of tool definitions: the tool that loads
    /// skills, then all functions and all programs with a `schema` whose requirements are available.
    ///
    /// ```
    /// # use skills_call::{Loader, Runner};
    /// # use skills_runtime::{Registry, Tables, ToolFormat};
    /// # static SKILLS: Registry = Registry::new(Tables::fixed(&[], &[]));
    /// # let runner = Runner::new(&SKILLS).loader(Loader::None);
    /// let request = format!(r#"{{"model": "…", "tools": {}}}"#, runner.tools(ToolFormat::Anthropic));
    /// # assert!(request.ends_with(r#""tools": []}"#));
    /// ```
    pub fn tools(&self, format: ToolFormat) -> String {
        self.state.tools(format)
    }

    /// Returns the definitions of [`tools`](Self::tools) for a [`Request`](crate::model::Request).
    pub fn tool_definitions(&self) -> Vec<ToolDefinition> {
        self.state.tool_definitions()
    }

    /// Returns the definitions for the next request of a conversation, for interfaces that cannot defer tools
    /// themselves. With skills [on demand](Self::on_demand), it includes only functions that are pinned or
    /// that the [session](Self::session) has found.
    pub fn tool_definitions_in(&self, session: &Session) -> Vec<ToolDefinition> {
        self.state.tool_definitions_in(session)
    }

    /// Returns the tool definition of one skill of [`Runner::skills`]; it is stored with the skill.
    ///
    /// # Errors
    /// The skill is not a tool now.
    pub fn tool<'a>(&self, skill: Skill<'a>, format: ToolFormat) -> Result<Cow<'a, str>, Exclusion> {
        self.state.tool(skill, format)
    }

    /// Returns `true` if a function of this name is a tool now. The tool that loads skills does not count.
    pub fn is_tool(&self, name: &str) -> bool {
        self.state.is_tool(name)
    }

    /// Returns the functions that an interface cannot offer as tools, each with the reason. Functions that
    /// their authors hide from models are not included.
    pub fn left_out(&self, format: ToolFormat) -> Vec<(Skill<'_>, Exclusion)> {
        self.state.left_out(format)
    }

    /// Returns the text for a system prompt, in addition to [`tools`](Self::tools). A model that gets both sees
    /// the list of skills once:
    ///
    /// - With [`Loader::LoadSkill`](crate::Loader::LoadSkill), the default, the description of the tool lists the
    ///   skills, and this text is empty.
    /// - With [`Loader::Skill`](crate::Loader::Skill), this text is the catalog in the style `skills`, and with
    ///   [`Loader::None`](crate::Loader::None) in the style `agent-skills`.
    /// - With skills [on demand](Self::on_demand), this text lists only pinned skills, and explains how to find
    ///   others.
    ///
    /// The list is never longer than the [budget](super::Layers::catalog_budget). Without skills the text is
    /// empty.
    pub fn prompt(&self) -> String {
        self.state.prompt()
    }

    /// Returns the text for a system prompt as [`prompt`](Self::prompt) does. With skills [on
    /// demand](Self::on_demand), it also lists the skills that the message is likely to need.
    pub fn prompt_for(&self, message: &str) -> String {
        self.state.prompt_for(message)
    }

    /// Derives the session from the messages of a conversation, for [`CallOptions::session`]. A skill counts
    /// as loaded if the messages contain exactly the text that would be sent now. If the host removes a
    /// skill's text from the messages, the skill is sent again.
    ///
    /// [`CallOptions::session`]: crate::CallOptions::session
    pub fn session(&self, messages: &[Message]) -> Session {
        self.state.session(messages)
    }

    /// Returns what servers, engines and evaluations ask a runner besides its calls.
    pub fn server_access(&self) -> ServerAccess<'_> {
        ServerAccess::new(&self.state)
    }

    async fn start(
        &self,
        name: &str,
        input: String,
        bundle: Option<TypeId>,
        mut options: CallOptions,
    ) -> Result<(Called<String>, Checked), CallError> {
        if bundle.is_none() {
            self.state.admit(name)?;
        }
        if let Some(result) = self.state.call_remote(name, &input, bundle, &mut options).await {
            return result;
        }
        let _held = match (&options.journal, &self.state.store) {
            (Some(_), _) if options.steps.is_some() => {
                return Err(fail_journal("the options already store finished steps elsewhere".into(), name));
            }
            (Some(run), Some(store)) => {
                let held = store.lock_run(run).await.map_err(|source| fail_journal(source, name))?;
                options.steps = Some(Arc::new(Journaled { store: Arc::clone(store), run: run.clone() }));
                held
            }
            (Some(_), None) => return Err(fail_journal("the runner has none".into(), name)),
            (None, _) => RunLock::default(),
        };
        let place = options.place.take().or_else(|| options.steps.as_ref().map(|_| name.to_owned()));
        let (timeout, depth) = (options.timeout, options.depth);
        let rejected = std::mem::take(&mut options.rejected);
        let is_cancellable = options.cancellation.is_some();
        let call = Arc::new(CallState::new(Arc::clone(&self.state), options));
        let work =
            run(&call, Invocation { name, input, depth, parent: None, timeout, bundle, place, rejected });
        let produced = if is_cancellable {
            let cancelled = std::pin::pin!(call.cancellation.cancelled());
            match select(cancelled, work).await {
                Either::Left(_) => return Err(CallError::cancelled(name)),
                Either::Right((result, _)) => result?,
            }
        } else {
            // The flag was created for this call, so nothing else can set it.
            work.await?
        };
        let Produced { text, steps, checked } = produced;
        Ok((Called { output: text, steps, usage: call.usage() }, checked))
    }
}

fn fail_journal(source: Box<dyn std::error::Error + Send + Sync>, name: &str) -> CallError {
    CallError::Journal { skill: name.to_owned(), source }
}

impl<B> Clone for Runner<B> {
    fn clone(&self) -> Self {
        Self { state: Arc::clone(&self.state), bundle: PhantomData }
    }
}

impl<B> fmt::Debug for Runner<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skills: Vec<&str> = self.state.layers.iter().map(|skill| skill.name()).collect();
        f.debug_struct("Runner").field("skills", &skills).finish_non_exhaustive()
    }
}
