//! The progress of a run: the state of each step that has begun.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use skills_call::{CallId, ErrorKind, Event};

/// The states of the steps of a run, in the order in which they began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The name of each step with its state: `running`, `3 of 20`, `done`, `skipped` or `failed: …`.
    pub steps: Vec<(String, String)>,
}

impl Progress {
    /// Records an event of the run. A list reports at most about a hundred changes.
    pub fn note(&mut self, event: &Event) {
        let (step, state) = match event {
            Event::StepStart { step, .. } => (step, "running".to_owned()),
            Event::StepEnd { step, error: None, .. } => (step, "done".to_owned()),
            Event::StepEnd { step, error: Some(error), .. } => (step, format!("failed: {error}")),
            Event::StepSkipped { step, .. } => (step, "skipped".to_owned()),
            Event::StepItem { step, done, total, .. } if done % total.div_ceil(100).max(1) == 0 => {
                (step, format!("{done} of {total}"))
            }
            _ => return,
        };
        match self.steps.iter_mut().find(|(name, _)| name == step) {
            Some((_, old)) => *old = state,
            None => self.steps.push((step.clone(), state)),
        }
    }

    /// Returns the changes since an earlier snapshot, as events of a call.
    pub(crate) fn events_since(&self, earlier: &Self, call: CallId, skill: &str) -> Vec<Event> {
        let mut events = Vec::new();
        for (step, state) in &self.steps {
            let before = earlier.steps.iter().find(|(name, _)| name == step).map(|(_, state)| state);
            if before == Some(state) {
                continue;
            }
            let (skill, step) = (skill.to_owned(), step.clone());
            if state == "skipped" {
                events.push(Event::StepSkipped { call, skill, step });
                continue;
            }
            if before.is_none() {
                events.push(Event::StepStart { call, skill: skill.clone(), step: step.clone() });
            }
            if let Some((done, total)) = state.split_once(" of ")
                && let (Ok(done), Ok(total)) = (done.parse(), total.parse())
            {
                events.push(Event::StepItem { call, skill, step, done, total });
            } else if state != "running" {
                let error = state.strip_prefix("failed: ").map(str::to_owned);
                let kind = error.as_ref().map(|_| ErrorKind::Failed);
                events.push(Event::StepEnd { call, skill, step, error, kind });
            }
        }
        events
    }

    /// Returns the progress as JSON text: `[["search", "done"], …]`.
    pub fn to_json(&self) -> String {
        let steps = self.steps.iter().map(|(step, state)| Value::from(vec![step.as_str(), state.as_str()]));
        Value::Array(steps.collect()).to_string()
    }

    /// Parses progress from JSON text. Returns empty progress if the text is not valid.
    pub fn from_json(text: &str) -> Self {
        Self { steps: serde_json::from_str(text).unwrap_or_default() }
    }
}

/// The progress of a running run, which can be read while it is written. Clones share the same state.
#[derive(Clone, Debug, Default)]
pub struct SharedProgress(Arc<Mutex<Progress>>);

impl SharedProgress {
    /// Reads or changes the progress.
    pub fn with<T>(&self, look: impl FnOnce(&mut Progress) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
