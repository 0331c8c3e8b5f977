//! The steps of a call and how far each of them is: what a chat and a streamed call tell meanwhile (SPEC 11.3, 11.5).

use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use skills_runtime::call::{CallId, ErrorKind, Event, Runner};

/// The steps of a pipeline and of those it calls, as far as they are.
pub(crate) struct Progress {
    runner: Runner,
    steps: Mutex<Vec<Step>>,
}

/// A step of one call; a pipeline may call another one many times at once.
struct Step {
    call: CallId,
    name: String,
    state: Value,
}

impl Progress {
    /// Knows no step yet; the runner is the one that calls.
    pub(crate) fn new(runner: Runner) -> Self {
        Self { runner, steps: Mutex::default() }
    }

    /// Takes note of an event; returns all steps when it changed the state of one.
    pub(crate) fn tell(&self, event: &Event) -> Option<Value> {
        let mut steps = self.steps.lock().unwrap_or_else(PoisonError::into_inner);
        let (skill, step, state) = match event {
            // The steps of a pipeline are known before the first of them begins.
            Event::Call { call, skill, .. } => {
                let pipeline = self.runner.skills().function(skill).and_then(|function| function.pipeline)?;
                steps.extend(pipeline.steps.iter().map(|step| Step {
                    call: *call,
                    name: format!("{skill}.{}", step.name),
                    state: json!("waiting"),
                }));
                return None;
            }
            // A call inside the pipeline is over: its step in there says so.
            Event::Result { call, .. } if call.parent().is_some() => {
                steps.retain(|step| step.call != *call);
                return None;
            }
            Event::StepStart { skill, step, .. } => (skill, step, json!("running")),
            Event::StepItem { skill, step, done, total, .. } => {
                (skill, step, json!(format!("{done} of {total}")))
            }
            Event::StepSkipped { skill, step, .. } => (skill, step, json!("skipped")),
            Event::StepEnd { skill, step, error: None, .. } => (skill, step, json!("done")),
            Event::StepEnd { skill, step, kind: Some(ErrorKind::Cancelled), .. } => {
                (skill, step, json!("cancelled"))
            }
            Event::StepEnd { skill, step, .. } => (skill, step, json!("failed")),
            _ => return None,
        };
        let (call, name) = (event.call(), format!("{skill}.{step}"));
        match steps.iter_mut().find(|known| known.call == call && known.name == name) {
            Some(known) => known.state = state,
            None => steps.push(Step { call, name, state }),
        }
        let told: Vec<Value> =
            steps.iter().map(|step| json!({"step": step.name, "state": step.state})).collect();
        Some(json!({ "steps": told }))
    }
}
