//! A started process and all that it starts, which end together (SPEC 7.2).

#[cfg(target_os = "linux")]
mod adopt;
#[cfg(target_os = "linux")]
mod hunt;
#[cfg(target_os = "linux")]
mod table;
mod watch;

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

#[cfg(target_os = "linux")]
use self::adopt::changing;
#[cfg(target_os = "linux")]
pub use self::adopt::{Adoption, adopt};
use self::hunt::Hunt;
use self::watch::Watched;
use super::command;
use super::kept::Kept;
use super::shebang::{StartFault, refuse};
use crate::Request;

/// Which processes are looked at when those of a run are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Those that may have started after the first, by their numbers: cheap.
    Younger,
    /// All.
    Everything,
}

/// Where there is no `/proc` to look at, a run is its process group and nothing is searched for (SPEC 7.2).
#[cfg(not(target_os = "linux"))]
mod hunt {
    #[derive(Clone, Debug)]
    pub(super) struct Hunt;

    impl Hunt {
        pub(super) fn of(_run_id: &str, _root: rustix::process::Pid) -> Self {
            Self
        }

        pub(super) fn find(&mut self) -> bool {
            false
        }

        pub(super) fn count(&mut self) -> u64 {
            0
        }

        pub(super) fn end(&mut self, _reach: super::Reach) -> Vec<i32> {
            Vec::new()
        }
    }
}

/// Where nothing is adopted, no child is mistaken for an orphan.
#[cfg(not(target_os = "linux"))]
fn changing() {}

/// How long a killed process may take to be gone; on a machine under load it waits for its turn to die.
const DEATH: Duration = Duration::from_secs(5);

/// The first process of a run, its group, and whatever else carries its run id. Dropped, it is ended.
///
/// The first process stays unreaped until everything is ended: so long its number, which is the group's, is not
/// given to another.
#[derive(Debug)]
pub(super) struct Tree {
    child: Child,
    root: Pid,
    hunt: Hunt,
    exit: Option<OwnedFd>,
    watched: Option<Watched>,
    reaped: bool,
    /// Goes when all processes have gone.
    _kept: Kept,
}

impl Tree {
    /// Starts the program of `request`, watched from before its first instruction.
    pub(super) fn start(request: &Request) -> Result<Self, StartFault> {
        let unwatched = |doing: &str, error: io::Error| {
            let reason =
                format!("cannot {doing} the /bin/sh that ends the processes should the host die: {error}");
            refuse(126, reason)
        };
        let watched = match Watched::begin(&request.run_id) {
            Err(error) if request.watched => return unwatched("start", error),
            watched => watched.ok(),
        };
        let changing = changing();
        let (child, kept) = command::spawn(request)?;
        let root = Pid::from_child(&child);
        let mut tree = Self {
            child,
            root,
            hunt: Hunt::of(request.run_id.as_str(), root),
            exit: exit_handle(root),
            watched,
            reaped: false,
            _kept: kept,
        };
        let led = tree.watched.as_mut().map(|watched| watched.lead(root));
        drop(changing);
        if let Some(Err(error)) = led
            && request.watched
        {
            return unwatched("reach", error);
        }
        Ok(tree)
    }

    /// The process, for its pipes.
    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// What becomes readable when the first process exits, where the system has such a thing.
    pub(super) fn exit(&self) -> Option<BorrowedFd<'_>> {
        self.exit.as_ref().map(AsFd::as_fd)
    }

    /// Tells whether the first process has exited.
    pub(super) fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // An error means that somebody else reaped it: gone all the same.
        !matches!(waitid(WaitId::Pid(self.root), options), Ok(None) | Err(rustix::io::Errno::INTR))
    }

    /// Counts the processes of the run now and then, to tell when there are more than `most`.
    pub(super) fn census(&self, most: u64) -> Census {
        Census { hunt: self.hunt.clone(), most, next: Instant::now() }
    }

    /// Asks the group to end (SIGTERM).
    pub(super) fn ask(&mut self) {
        self.hunt.find();
        // Fails only when nobody is left to ask.
        let _ = kill_process_group(self.root, Signal::TERM);
    }

    /// Kills everything; returns the numbers of processes that could not be ended. A run that ended by itself is
    /// searched for what it left behind with less effort (`reach`).
    pub(super) fn end(&mut self, reach: Reach) -> Vec<i32> {
        let left = self.hunt.end(reach);
        // Fails only when nobody is left.
        let _ = kill_process_group(self.root, Signal::KILL);
        left
    }

    /// Takes the exit status of the first process, after [`Self::end`]; nothing when even SIGKILL does not end it:
    /// it runs as another user, or hangs in the kernel.
    pub(super) fn reap(&mut self) -> io::Result<Option<ExitStatus>> {
        self.reaped = true;
        // Watched to the last, and no longer: its number may be another's then.
        let watched = self.watched.take();
        let deadline = Instant::now() + DEATH;
        while !self.has_exited() {
            if Instant::now() >= deadline {
                let root = self.root;
                // Whenever it ends, no zombie stays.
                thread::Builder::new().spawn(move || {
                    let _ = waitid(WaitId::Pid(root), WaitIdOptions::EXITED);
                })?;
                return Ok(None);
            }
            thread::sleep(Duration::from_millis(1));
        }
        let _changing = changing();
        drop(watched);
        self.child.wait().map(Some)
    }
}

/// How often the processes of a run are counted.
const COUNTED: Duration = Duration::from_millis(20);

/// The processes of a run, counted where the kernel does not: root has no limit of them.
#[derive(Debug)]
pub(super) struct Census {
    hunt: Hunt,
    most: u64,
    next: Instant,
}

impl Census {
    /// Tells whether there are more than may be; between two counts it says no.
    pub(super) fn is_over(&mut self) -> bool {
        if Instant::now() < self.next {
            return false;
        }
        let is_over = self.hunt.count() > self.most;
        self.next = Instant::now() + COUNTED;
        is_over
    }

    /// How long until the next count.
    pub(super) fn pause(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        if !self.reaped {
            self.end(Reach::Everything);
            let _ = self.reap();
        }
    }
}

#[cfg(target_os = "linux")]
fn exit_handle(root: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(root, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn exit_handle(_root: Pid) -> Option<OwnedFd> {
    None
}
