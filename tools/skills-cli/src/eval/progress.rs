//! Shows the progress of a trial as one line of a terminal that changes.

use std::sync::{Arc, Mutex, PoisonError};

use skills_commands::terminal::live::{self, Live};
use skills_eval::Progress as At;
use skills_text::visible;

/// The progress line on standard error. It is shown only if lines can change there.
#[derive(Clone, Default)]
pub(super) struct Progress {
    live: Arc<Mutex<Live>>,
}

impl Progress {
    /// Updates the line.
    pub(super) fn update(&self, at: At<'_>) {
        self.show(&[format!("{}/{} runs: {}", at.done, at.total, visible(at.skill))]);
    }

    /// Erases the line.
    pub(super) fn end(&self) {
        self.show(&[]);
    }

    fn show(&self, lines: &[String]) {
        if live::is_possible() {
            self.live.lock().unwrap_or_else(PoisonError::into_inner).show(&[], lines);
        }
    }
}
