//! The handle through which a running skill reaches the call that it is part of.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};
use skills_registry::{Registry, Tables};

use super::run::engine::{Call, Engine};
use super::run::{Invocation, Produced, parse_output, run};
use super::{CallError, CallId, CallOptions, Cancellation, Functions, Input, Output};
use skills_runtime::typed::Checked;

/// The call that a skill runs in: how deep, where, and what its skills share.
///
/// Functions of a host are given one. The default belongs to no runner and finds no skills: for tests of such
/// functions.
pub struct Context {
    call: Arc<Call>,
    id: CallId,
    depth: u32,
    key: Option<String>,
    cancellation: Cancellation,
    /// The checker of this call's input.
    checked: Checked,
}

impl Context {
    pub(super) fn new(
        call: &Arc<Call>,
        id: CallId,
        depth: u32,
        place: Option<&str>,
        checked: Checked,
    ) -> Self {
        let run = call.run.as_ref().map(|run| format!("{run}/")).unwrap_or_default();
        let key = place.map(|place| format!("{run}{place}"));
        Self { call: Arc::clone(call), id, depth, key, cancellation: call.cancellation.child(), checked }
    }

    pub(super) fn checked(&self) -> Checked {
        self.checked
    }

    /// Returns what names this call in events (SPEC 7.6); a program that the function starts may be given it
    /// ([`Request::call`](skills_exec::Request::call)).
    pub fn id(&self) -> CallId {
        self.id
    }

    /// Returns how many calls are around this one; 0 for one that a program made (SPEC 6.4).
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns what names this call among those of all runs, the same in each attempt and after each interruption
    /// (SPEC 19.2), such as `monday/report/summarize[3]`: what a function tells a service that must not do the same twice.
    /// Nothing outside of a run that has a key, and in calls that a function of the host makes.
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// Returns the directory that the call works in, when one was given.
    pub fn workspace(&self) -> Option<&Path> {
        self.call.workspace.as_deref()
    }

    /// Looks at or changes the map that all skills of one top-level call share (SPEC 6.2). It is locked meanwhile, so
    /// `look` must not ask for it again.
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

    /// Returns what tells work on another thread that nobody waits for it any more: the call was cancelled or
    /// dropped, or this attempt reached its time limit.
    pub fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// Returns `true` if nobody waits for the call any more; see [`Context::cancellation`].
    pub fn is_cancelled(&self) -> bool {
        self.cancellation.is_cancelled()
    }

    /// Calls another skill from within this one: one level deeper, in the same workspace, with the same scratch map.
    ///
    /// # Errors
    /// As [`Runner::call`](super::Runner::call).
    pub async fn call<I: Input>(&self, input: I) -> Result<I::Output, CallError> {
        let text = input.to_json();
        let invocation = Invocation { is_typed: true, ..self.invocation(I::NAME, text) };
        let Produced { text, checked, .. } = run(&self.call, invocation).await?;
        I::Output::from_checked(&text, checked)
            .map_err(|invalid| CallError::InvalidOutput { skill: I::NAME.to_owned(), invalid })
    }

    /// Calls another skill by its name, with any JSON.
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
            is_typed: false,
            place: None,
        }
    }
}

impl Default for Context {
    fn default() -> Self {
        static NONE: Registry = Registry::new(Tables::fixed(&[], &[]));
        let engine = Arc::new(Engine::bare(Arc::new(Functions::new(&NONE, &[]))));
        let call = Arc::new(Call::new(engine, CallOptions::default()));
        Self::new(&call, CallId::below(None), 0, None, Checked::default())
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("depth", &self.depth).finish_non_exhaustive()
    }
}
