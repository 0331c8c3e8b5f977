//! Shows a message to a waiting user while directories are read.

use std::io::IsTerminal;
use std::sync::Once;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use skills_text::visible;

use skills_commands::terminal;
use skills_commands::terminal::{Live, can_change_lines};

/// How long a user waits without a message.
const QUIET_TIME: Duration = Duration::from_secs(1);

/// Does work. If the work takes longer than a second and standard error is a terminal, prints one line that
/// names the work.
pub(super) fn with_message<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let once = Once::new();
    ticking(QUIET_TIME, || once.call_once(|| terminal::line(what)), work)
}

/// Works like `with_message`, with the elapsed seconds, in a line that is removed after the work.
pub(super) fn counted<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if !can_change_lines() {
        return work();
    }
    let (what, start, mut live) = (visible(what), Instant::now(), Live::default());
    let done = ticking_to_all(
        QUIET_TIME,
        || live.show(&[], &[format!("{what}: {} s", start.elapsed().as_secs())]),
        work,
    );
    live.show(&[], &[]);
    done
}

/// Does work and calls `tick` after each pause, if standard error is a terminal.
fn ticking<T>(pause: Duration, tick: impl FnMut() + Send, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    ticking_to_all(pause, tick, work)
}

fn ticking_to_all<T>(pause: Duration, mut tick: impl FnMut() + Send, work: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (working, is_over) = mpsc::channel::<()>();
        let thread = thread::Builder::new().spawn_scoped(scope, move || {
            while is_over.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                tick();
            }
        });
        // If no thread can be started, the work is done without messages.
        drop(thread);
        let done = work();
        drop(working);
        done
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    // SPEC 11.16
    #[test]
    fn only_long_work_is_reported() {
        let (tick, finished) = mpsc::channel();
        let long = || finished.recv_timeout(Duration::from_secs(60)).is_ok();
        assert!(
            ticking_to_all(Duration::from_millis(1), move || tick.send(()).unwrap_or_default(), long),
            "reported meanwhile"
        );
        let has_finished = AtomicBool::new(false);
        let tick = || has_finished.store(true, Ordering::Relaxed);
        assert_eq!(ticking_to_all(Duration::from_secs(3_600), tick, || 7), 7, "dropping it ends the wait");
        assert!(!has_finished.load(Ordering::Relaxed));
    }
}
