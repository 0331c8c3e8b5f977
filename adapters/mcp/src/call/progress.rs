//! Converts events of a pipeline to progress notifications of the request.

use std::sync::{Mutex, PoisonError};

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use skills_call::Event;
use tokio::sync::mpsc::Sender;

/// The progress of the steps of a call.
pub(crate) struct ProgressReporter {
    steps: usize,
    token: ProgressToken,
    state: Mutex<State>,
    out: Sender<ProgressNotificationParam>,
}

#[derive(Default)]
struct State {
    ended: usize,
    sent: f64,
}

impl ProgressReporter {
    /// Creates the progress of a pipeline with this many steps.
    pub(crate) fn new(steps: usize, token: ProgressToken, out: Sender<ProgressNotificationParam>) -> Self {
        Self { steps, token, state: Mutex::default(), out }
    }

    /// Handles an event. Steps of nested pipelines are not counted.
    pub(crate) fn notify(&self, event: &Event) {
        if event.call().parent().is_some() {
            return;
        }
        if let Event::ToolProgress { progress, total, message, .. } = event {
            let mut notification = ProgressNotificationParam::new(self.token.clone(), *progress);
            (notification.total, notification.message) = (*total, message.clone());
            return drop(self.out.try_send(notification));
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (part, message) = match event {
            // The fraction stays below 1, since the step has not ended yet.
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
        // Concurrent steps report out of order, but progress must not decrease.
        if progress <= state.sent {
            return;
        }
        state.sent = progress;
        let notification = ProgressNotificationParam::new(self.token.clone(), progress)
            .with_total(number(self.steps))
            .with_message(message);
        // If a slow client's buffer is full, progress is dropped, but never the result.
        drop(self.out.try_send(notification));
    }
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
