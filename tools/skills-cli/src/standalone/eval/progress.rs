//! How far a trial has come, as one line of a terminal that is written over.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use skills_eval::Progress as At;
use skills_registry::visible;

/// Tells on standard error, if that is a terminal.
#[derive(Clone, Default)]
pub(super) struct Progress {
    is_open: Arc<AtomicBool>,
}

impl Progress {
    /// Tells how far it is.
    pub(super) fn tell(&self, at: At<'_>) {
        let mut stderr = std::io::stderr().lock();
        if stderr.is_terminal() {
            self.is_open.store(true, Ordering::Relaxed);
            let skill: String = visible(at.skill).chars().take(40).collect();
            // Nobody is told of a standard error that cannot be written.
            let _ = write!(stderr, "\r\u{1b}[K{}/{} runs: {skill}", at.done, at.total);
            let _ = stderr.flush();
        }
    }

    /// Takes the line away.
    pub(super) fn end(&self) {
        if self.is_open.swap(false, Ordering::Relaxed) {
            let _ = write!(std::io::stderr().lock(), "\r\u{1b}[K");
        }
    }
}
