//! Tracks the steps of a call and their states, for chats and streamed calls.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde_json::{Value, json};
use skills_call::{CallId, ErrorKind, Event, Runner};

/// The steps of a pipeline and of the pipelines it calls, with their states.
pub(crate) struct PipelineProgress {
    runner: Runner,
    is_timed: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    steps: Vec<Step>,
    /// The active calls by number. Usage of a model is added to every surrounding step.
    open: HashMap<u64, CallId>,
}

/// A step of a call. A pipeline may call another one several times at once.
struct Step {
    call: CallId,
    /// The index in the pipeline.
    at: usize,
    name: String,
    state: Value,
    began: Option<Instant>,
    milliseconds: Option<u64>,
    tokens: u64,
}

impl PipelineProgress {
    /// Creates an empty state for calls of a runner.
    pub(crate) fn new(runner: Runner) -> Self {
        Self { runner, is_timed: false, state: Mutex::default() }
    }

    /// Also records the duration and the model tokens of each step.
    pub(crate) fn timed(self) -> Self {
        Self { is_timed: true, ..self }
    }

    /// Handles an event. Returns all steps if the state of one changed.
    pub(crate) fn update(&self, event: &Event) -> Option<Value> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (step, now) = match event {
            // The steps of a pipeline are known before the first one begins.
            Event::Call { call, skill, .. } => {
                state.open.insert(call.number(), *call);
                let pipeline = self.runner.skills().function(skill).and_then(|function| function.pipeline)?;
                let waiting = pipeline.steps.iter().enumerate().map(|(at, step)| Step {
                    call: *call,
                    at,
                    name: format!("{skill}.{}", step.name),
                    state: json!("waiting"),
                    began: None,
                    milliseconds: None,
                    tokens: 0,
                });
                state.steps.extend(waiting);
                return None;
            }
            // A call inside the pipeline ended. The events of its step report that.
            Event::Result { call, .. } => {
                state.open.remove(&call.number());
                if call.parent().is_some() {
                    state.steps.retain(|step| step.call != *call);
                }
                return None;
            }
            Event::Model { call, usage, .. } if self.is_timed => {
                state.pay(*call, usage.input_tokens.saturating_add(usage.output_tokens));
                return None;
            }
            Event::StepStart { step, .. } => (step, json!("running")),
            Event::StepItem { step, done, total, .. } => (step, json!(format!("{done} of {total}"))),
            Event::StepSkipped { step, .. } => (step, json!("skipped")),
            Event::StepEnd { step, error: None, .. } => (step, json!("done")),
            Event::StepEnd { step, kind: Some(ErrorKind::Cancelled), .. } => (step, json!("cancelled")),
            Event::StepEnd { step, .. } => (step, json!("failed")),
            _ => return None,
        };
        let (call, name) = (event.call(), format!("{}.{step}", event.skill()));
        let known = state.steps.iter_mut().find(|known| known.call == call && known.name == name)?;
        known.state = now;
        match event {
            Event::StepStart { .. } => known.began = Some(Instant::now()),
            Event::StepEnd { .. } => {
                let took = known.began.map(|began| began.elapsed().as_millis());
                known.milliseconds = took.and_then(|took| u64::try_from(took).ok());
            }
            _ => {}
        }
        let steps: Vec<Value> = state.steps.iter().map(|step| self.step_json(step)).collect();
        Some(json!({ "steps": steps }))
    }

    fn step_json(&self, step: &Step) -> Value {
        let mut object = json!({"step": step.name, "state": step.state});
        if let Some(milliseconds) = step.milliseconds.filter(|_| self.is_timed) {
            object["ms"] = json!(milliseconds);
        }
        if step.tokens > 0 {
            object["tokens"] = json!(step.tokens);
        }
        object
    }
}

impl State {
    /// Adds tokens to each step around a call.
    fn pay(&mut self, call: CallId, tokens: u64) {
        let mut inner = Some(call);
        while let Some(call) = inner {
            let around = call.parent().and_then(|parent| self.open.get(&parent).copied());
            if let (Some(around), Some(at)) = (around, call.step().and_then(|at| usize::try_from(at).ok())) {
                let step = self.steps.iter_mut().find(|step| step.call == around && step.at == at);
                step.into_iter().for_each(|step| step.tokens = step.tokens.saturating_add(tokens));
            }
            inner = around;
        }
    }
}
