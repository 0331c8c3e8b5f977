//! Reloads a [`Live`] shortly after the last change of its directories (feature `watch`).

mod armed;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use notify::Event;

use super::changes::Changes;
use super::live::Live;
use super::problem::Unreadable;
use armed::Armed;

/// How long to wait after the last event before a reload, since editors and checkouts write in bursts.
const QUIET: Duration = Duration::from_millis(100);
/// The maximum delay of a reload during a long burst.
const LATEST: Duration = Duration::from_secs(1);

/// Watches the directories of a [`Live`] until it is dropped. No callback starts after that.
#[derive(Debug)]
#[must_use = "the watching ends when this is dropped"]
pub struct Watch {
    stop: Sender<Message>,
    thread: Option<JoinHandle<()>>,
}

/// The reason why a change could not be loaded. The skills stay unchanged.
#[derive(Debug)]
#[non_exhaustive]
pub enum WatchError {
    /// A directory can no longer be read.
    Unreadable(Unreadable),
    /// The system no longer reports changes of a directory.
    System(io::Error),
}

impl fmt::Display for WatchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(formatter),
            Self::System(error) => write!(formatter, "watch skills: {error}"),
        }
    }
}

impl std::error::Error for WatchError {}

enum Message {
    Event(notify::Result<Event>),
    Stop,
}

impl Live {
    /// Reloads if a file below one of the directories changes, or if the user trusts or no longer trusts a
    /// workspace, and passes the changes to the callback. The callback is not called if nothing changed.
    ///
    /// A directory that does not exist yet is noticed when it is created. Bursts of changes are handled
    /// together, a tenth of a second after the last one, or once a second. The callback runs on its own
    /// thread, which ends when the returned guard is dropped.
    ///
    /// # Errors
    /// If the system cannot watch the directories.
    ///
    /// ```no_run
    /// use std::sync::Arc;
    /// use skills_load::{LayersBuilder, Live};
    ///
    /// let skills = Arc::new(Live::new(LayersBuilder::new().directory("skills"))?);
    /// let watch = skills.watch(|outcome| match outcome {
    ///     Ok(changes) => println!("changed: {:?}", changes.changed),
    ///     Err(error) => eprintln!("{error}"),
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn watch(
        self: &Arc<Self>,
        callback: impl FnMut(Result<Changes, WatchError>) + Send + 'static,
    ) -> io::Result<Watch> {
        let (stop, messages) = channel();
        let events = stop.clone();
        let armed = Armed::new(self.builder().roots(), move |event: notify::Result<Event>| {
            // Sending fails once the guard is dropped, which can be ignored.
            events.send(Message::Event(event)).ok();
        })
        .map_err(io::Error::other)?;
        let worker = Worker { live: Arc::clone(self), armed, messages, callback };
        let thread = thread::Builder::new().name("skills-watch".to_owned()).spawn(move || worker.run())?;
        Ok(Watch { stop, thread: Some(thread) })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stop.send(Message::Stop).ok();
        // If the callback drops the guard, the thread must not wait for itself.
        let thread = self.thread.take().filter(|thread| thread.thread().id() != thread::current().id());
        if let Some(thread) = thread {
            // This fails only if the callback panicked, which was already reported.
            thread.join().ok();
        }
    }
}

struct Worker<F> {
    live: Arc<Live>,
    armed: Armed,
    messages: Receiver<Message>,
    callback: F,
}

/// The combined effect of a burst of events.
#[derive(Default)]
struct Burst {
    relevant: bool,
    rearm: bool,
    stopped: bool,
}

impl<F: FnMut(Result<Changes, WatchError>)> Worker<F> {
    fn run(mut self) {
        // Changes between the first reading and now were not reported.
        self.reload();
        while let Ok(message) = self.messages.recv() {
            let mut burst = Burst::default();
            self.take(message, &mut burst);
            if burst.relevant {
                self.settle(&mut burst);
            }
            if burst.stopped {
                break;
            }
            if burst.relevant {
                if let Err(error) = self.armed.renew(burst.rearm) {
                    (self.callback)(Err(WatchError::System(io::Error::other(error))));
                }
                self.reload();
            }
        }
    }

    /// Waits until the burst ends.
    fn settle(&mut self, burst: &mut Burst) {
        let latest = Instant::now() + LATEST;
        while !burst.stopped {
            let left = latest.saturating_duration_since(Instant::now()).min(QUIET);
            match self.messages.recv_timeout(left) {
                Ok(message) => self.take(message, burst),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => burst.stopped = true,
            }
        }
    }

    fn take(&mut self, message: Message, burst: &mut Burst) {
        match message {
            Message::Stop => burst.stopped = true,
            Message::Event(Ok(event)) => {
                let touch = self.armed.classify(&event);
                burst.relevant |= touch.relevant;
                burst.rearm |= touch.rearm;
            }
            Message::Event(Err(error)) => {
                (burst.relevant, burst.rearm) = (true, true);
                (self.callback)(Err(WatchError::System(io::Error::other(error))));
            }
        }
    }

    fn reload(&mut self) {
        match self.live.reload() {
            Ok(changes) if changes.is_empty() => {}
            Ok(changes) => (self.callback)(Ok(changes)),
            Err(error) => (self.callback)(Err(WatchError::Unreadable(error))),
        }
    }
}
