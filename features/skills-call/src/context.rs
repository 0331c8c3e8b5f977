//! The context that a running skill gets: its call, its workspace, and calls of other skills.

use std::any::TypeId;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};
use skills_registry::{Registry, Tables};

use super::run::state::{CallState, RunnerState};
use super::run::{Invocation, Produced, parse_output, run};
use super::{CallError, CallId, CallOptions, Cancellation, Input, Layers, Output};
use skills_exec::RunOptions;
use skills_runtime::typed::Checked;

/// The call that a skill runs in: its depth, its workspace, and the data that its skills share.
///
/// Host functions receive a context. The default context has no runner and finds no skills; use it to test
/// host functions.
pub struct Context {
    call: Arc<CallState>,
    id: CallId,
    depth: u32,
    key: Option<String>,
    cancellation: Cancellation,
    /// The checker that validated the input of this call.
    checked: Checked,
}

impl Context {
    pub(super) fn new(
        call: &Arc<CallState>,
        id: CallId,
        depth: u32,
        place: Option<&str>,
        checked: Checked,
    ) -> Self {
        let run = call.run_key.as_ref().map(|run| format!("{run}/")).unwrap_or_default();
        let key = place.map(|place| format!("{run}{place}"));
        Self { call: Arc::clone(call), id, depth, key, cancellation: call.cancellation.child(), checked }
    }

    pub(super) fn checked(&self) -> Checked {
        self.checked
    }

    /// Returns the id of this call in events. If the function starts a program, pass the id to the program
    /// with [`Request::call`](skills_exec::Request::call).
    pub fn id(&self) -> CallId {
        self.id
    }

    /// Returns how many calls surround this one: 0 for a call that a program made.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns a key that is unique among the calls of all runs, such as `monday/report/summarize[3]`. It is
    /// the same in each attempt and after each interruption, so a function can send it to a service as an
    /// idempotency key. Returns `None` outside of a run with a key, and in calls that a host function makes.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// Returns the working directory of the call, if one was set.
    pub fn workspace(&self) -> Option<&Path> {
        self.call.workspace.as_deref()
    }

    /// Reads or changes the map that all skills of one top-level call share. The map is locked while `look`
    /// runs, so `look` must not call this method.
    ///
    /// ```
    /// # use skills_call::Context;
    /// let context = Context::default();
    /// context.scratch(|map| map.insert("seen".to_owned(), 1.into()));
    /// assert_eq!(context.scratch(|map| map.len()), 1);
    /// ```
    pub fn scratch<T>(&self, look: impl FnOnce(&mut Map<String, Value>) -> T) -> T {
        self.call.scratch(look)
    }

    /// Returns the flag that is set when the result is no longer needed: the call was cancelled or dropped,
    /// or this attempt reached its time limit. Work on other threads can check it.
    pub fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// Returns `true` if the result of the call is no longer needed; see [`Context::cancellation`].
    pub fn is_cancelled(&self) -> bool {
        self.cancellation.is_cancelled()
    }

    /// Calls another skill from this one: one level deeper, in the same workspace, with the same scratch map.
    ///
    /// # Errors
    /// As [`Runner::call`](super::Runner::call).
    pub async fn call<I: Input>(&self, input: I) -> Result<I::Output, CallError> {
        let text = input.to_json();
        let invocation =
            Invocation { bundle: Some(TypeId::of::<I::Bundle>()), ..self.invocation(I::NAME, text) };
        let Produced { text, checked, .. } = run(&self.call, invocation).await?;
        I::Output::from_checked(&text, checked).map_err(|invalid| CallError::invalid_output(I::NAME, invalid))
    }

    /// Calls another skill by its name, with any JSON value.
    ///
    /// # Errors
    /// As [`Runner::call`](super::Runner::call).
    pub async fn call_json(&self, name: &str, input: Value) -> Result<Value, CallError> {
        let output = run(&self.call, self.invocation(name, input.to_string())).await?.text;
        parse_output(name, &output)
    }

    fn invocation<'a>(&self, name: &'a str, input: String) -> Invocation<'a> {
        Invocation {
            name,
            input,
            depth: self.depth + 1,
            parent: Some(self.id),
            timeout: None,
            bundle: None,
            place: None,
            rejected: Vec::new(),
        }
    }
}

impl Default for Context {
    fn default() -> Self {
        static NONE: Registry = Registry::new(Tables::fixed(&[], &[]));
        let runner = Arc::new(RunnerState::new(Layers::from(&NONE), RunOptions::bare()));
        let call = Arc::new(CallState::new(runner, CallOptions::default()));
        Self::new(&call, CallId::below(None), 0, None, Checked::default())
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("depth", &self.depth).finish_non_exhaustive()
    }
}
