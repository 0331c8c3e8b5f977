//! Events of a pipeline become progress of the request that started it.

use std::sync::{Mutex, PoisonError};

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use skills_call::Event;
use tokio::sync::mpsc::Sender;

/// The steps of one call, as far as they are.
pub(crate) struct Progress {
    steps: usize,
    token: ProgressToken,
    state: Mutex<State>,
    out: Sender<ProgressNotificationParam>,
}

#[derive(Default)]
struct State {
    ended: usize,
    told: f64,
}

impl Progress {
    /// Tells of a pipeline, which has so many steps.
    pub(crate) fn new(steps: usize, token: ProgressToken, out: Sender<ProgressNotificationParam>) -> Self {
        Self { steps, token, state: Mutex::default(), out }
    }

    /// Takes note of an event. Steps of skills that the pipeline calls are parts of its own, and are not counted.
    pub(crate) fn tell(&self, event: &Event) {
        if event.call().parent().is_some() {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (part, message) = match event {
            // Below one: the step itself is still to end.
            Event::StepItem { step, done, total, .. } => {
                (number(*done) / (number(*total) + 1.0), format!("{step}: {done} of {total}"))
            }
            Event::StepEnd { step, error, .. } => {
                state.ended += 1;
                let word = if error.is_some() { "failed" } else { "done" };
                (0.0, format!("{step}: {word}"))
            }
            Event::StepSkipped { step, .. } => {
                state.ended += 1;
                (0.0, format!("{step}: skipped"))
            }
            _ => return,
        };
        let progress = number(state.ended) + part;
        // Steps that run at once report out of order, and progress must grow.
        if progress <= state.told {
            return;
        }
        state.told = progress;
        let told = ProgressNotificationParam::new(self.token.clone(), progress)
            .with_total(number(self.steps))
            .with_message(message);
        // Progress that a slow client has no room for is dropped; the result never is.
        drop(self.out.try_send(told));
    }
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
