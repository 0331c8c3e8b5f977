//! What a running skill may ask of the call it is part of.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};

/// The call that a skill runs in: how deep, where, and what its skills share.
#[derive(Debug, Default)]
pub struct Context {
    depth: u32,
    workspace: Option<std::path::PathBuf>,
    scratch: std::sync::Arc<Mutex<Map<String, Value>>>,
}

impl Context {
    /// Returns how many calls are around this one; 0 for one that a program made (SPEC 6.4).
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the directory that the call works in, when one was given.
    pub fn workspace(&self) -> Option<&Path> {
        self.workspace.as_deref()
    }

    /// Looks at or changes the map that all skills of one top-level call share (SPEC 6.2).
    ///
    /// ```
    /// # use skills_runtime::call::Context;
    /// let context = Context::default();
    /// context.scratch(|map| map.insert("seen".to_owned(), 1.into()));
    /// assert_eq!(context.scratch(|map| map.len()), 1);
    /// ```
    pub fn scratch<T>(&self, look: impl FnOnce(&mut Map<String, Value>) -> T) -> T {
        look(&mut self.scratch.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
