//! Shows the progress of a trial as one line of a terminal that is overwritten.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use skills_eval::Progress as At;
use skills_text::visible;

/// The progress line on standard error. It is shown only if standard error is a terminal.
#[derive(Clone, Default)]
pub(super) struct Progress {
    is_open: Arc<AtomicBool>,
}

impl Progress {
    /// Updates the line.
    pub(super) fn tell(&self, at: At<'_>) {
        let mut stderr = std::io::stderr().lock();
        if stderr.is_terminal() {
            self.is_open.store(true, Ordering::Relaxed);
            let skill: String = visible(at.skill).chars().take(40).collect();
            // If standard error cannot be written, there is nowhere to report that.
            let _ = write!(stderr, "\r\u{1b}[K{}/{} runs: {skill}", at.done, at.total);
            let _ = stderr.flush();
        }
    }

    /// Clears the line.
    pub(super) fn end(&self) {
        if self.is_open.swap(false, Ordering::Relaxed) {
            let _ = write!(std::io::stderr().lock(), "\r\u{1b}[K");
        }
    }
}
