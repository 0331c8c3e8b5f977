//! A line on a terminal while a check takes long, which goes away with the check.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Shows the line until it is dropped.
pub(super) struct Progress {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts the clock; nothing is shown for what takes less than a second, or where no person looks.
    pub(super) fn start(label: &str) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { end: None, thread: None };
        }
        let (end, ended) = channel::<()>();
        let label = skills_registry::visible(label);
        let thread = std::thread::spawn(move || {
            let start = Instant::now();
            let mut shown = false;
            while ended.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                let seconds = start.elapsed().as_secs();
                let _ = write!(std::io::stderr(), "\r\u{1b}[Kchecking {label}: {seconds} s");
                shown = true;
            }
            if shown {
                let _ = write!(std::io::stderr(), "\r\u{1b}[K");
            }
        });
        Self { end: Some(end), thread: Some(thread) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
