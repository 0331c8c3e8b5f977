//! A started process with all its descendants, which end together.

mod children;
mod keeper;
mod reaper;

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process};

use self::children::descendants;
use self::reaper::{STARTED, TERMINATE, Word};
use super::command;
use super::inherited;
use super::limit;
use super::resources::RunResources;
use super::shebang::StartFault;
use crate::{Limits, Request};

/// The time that killed processes may take to exit. On a machine under load, they need a while.
const DEATH: Duration = Duration::from_secs(5);

/// The host's side of a keeper that has not started yet.
#[derive(Debug)]
pub(super) struct PendingKeeper {
    /// Closing this descriptor makes the keeper end the run.
    host_pipe: File,
    report: File,
}

impl PendingKeeper {
    /// Makes `command` start its program below a keeper. `scoped` is described at [`keeper::put_between`].
    pub(super) fn put_on(command: &mut Command, scoped: bool) -> io::Result<Self> {
        let ((held, host_pipe), (report, status_out)) = (keeper::pipe()?, keeper::pipe()?);
        fcntl_setfl(&report, fcntl_getfl(&report)? | OFlags::NONBLOCK)?;
        keeper::put_between(command, held, status_out, scoped);
        Ok(Self { host_pipe: host_pipe.into(), report: report.into() })
    }
}

/// A run: the keeper, the program, and all processes that the program has started. Dropping it ends all of
/// them.
#[derive(Debug)]
pub(crate) struct ProcessTree {
    keeper: Child,
    host_pipe: Option<File>,
    report: File,
    received: RefCell<Received>,
    reaped: bool,
    /// Released when all processes have exited.
    resources: RunResources,
}

/// The facts that the keeper has reported.
#[derive(Debug, Default)]
struct Received {
    status: Option<ExitStatus>,
    left: Vec<i32>,
    is_gone: bool,
    /// Whether it has exited.
    is_over: bool,
}

/// The parts of a run that could not be ended.
#[derive(Debug, Default)]
pub(super) struct Survivors {
    /// The pids of the processes that may not be killed.
    pub(super) processes: Vec<i32>,
    /// Whether other processes may be left.
    pub(super) unknown: bool,
    /// The directory for temporary files, which a remaining process may still use.
    pub(super) scratch: Option<PathBuf>,
}

impl ProcessTree {
    /// Starts the program of `request`. The keeper exists before the first instruction of the program.
    pub(super) fn start(request: &Request) -> Result<Self, StartFault> {
        let (keeper, pending, resources) = command::spawn(request)?;
        Ok(Self::from_keeper(keeper, pending, resources))
    }

    /// Starts a command that is not a skill and has no sandbox.
    pub(crate) fn start_command(command: &mut Command, limits: &Limits) -> io::Result<Self> {
        command.process_group(0);
        let host_pipe = PendingKeeper::put_on(command, false)?;
        // After the keeper, which has no limits.
        limit::set(command, limits, false);
        inherited::keep_from(command);
        Ok(Self::from_keeper(command.spawn()?, host_pipe, RunResources::default()))
    }

    fn from_keeper(
        keeper: Child,
        PendingKeeper { mut host_pipe, report }: PendingKeeper,
        resources: RunResources,
    ) -> Self {
        // On Linux, the keeper notices when no process is left. On other systems, it waits for this byte; without it,
        // the program did not start.
        if cfg!(not(target_os = "linux")) {
            let _ = host_pipe.write(&[STARTED]);
        }
        Self {
            keeper,
            host_pipe: Some(host_pipe),
            report,
            received: RefCell::default(),
            reaped: false,
            resources,
        }
    }

    /// Returns the started process, which has the pipes of the program.
    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.keeper
    }

    /// Returns a descriptor that is readable when the program has exited.
    pub(super) fn exit(&self) -> BorrowedFd<'_> {
        self.report.as_fd()
    }

    /// Returns `true` if the program has exited, or its state can no longer be known.
    pub(crate) fn has_exited(&self) -> bool {
        let mut received = self.received.borrow_mut();
        received.read(&self.report);
        received.status.is_some() || received.is_over
    }

    /// Returns a counter that checks regularly whether the run has more than `most` processes.
    pub(super) fn census(&self, most: u64) -> Census {
        Census { keeper: Pid::from_child(&self.keeper), most, next: Instant::now() }
    }

    /// Sends SIGTERM to the process group.
    pub(crate) fn ask(&mut self) {
        if let Some(host_pipe) = &mut self.host_pipe {
            // Fails only if the keeper is gone.
            let _ = host_pipe.write(&[TERMINATE]);
        }
    }

    /// Kills all processes of the run, and waits until they have exited.
    pub(super) fn end(&mut self) -> Survivors {
        self.host_pipe = None;
        // The keeper is not reaped yet, so its pid is still valid. A program without a sandbox may have
        // stopped it.
        let _ = kill_process(Pid::from_child(&self.keeper), Signal::CONT);
        let deadline = Instant::now() + DEATH;
        let received = self.received.get_mut();
        loop {
            received.read(&self.report);
            let rest = deadline.saturating_duration_since(Instant::now());
            if received.is_over || rest.is_zero() {
                break;
            }
            let mut polled = [PollFd::new(&self.report, PollFlags::IN)];
            let _ = poll(&mut polled, Timespec::try_from(rest).ok().as_ref());
        }
        let unknown = !received.is_gone && received.left.is_empty();
        let scratch = if received.is_gone { None } else { self.resources.leave() };
        Survivors { processes: received.left.clone(), unknown, scratch }
    }

    /// Kills all processes of the run, and returns the exit status of the program, if it is known.
    pub(crate) fn finish(&mut self) -> Option<ExitStatus> {
        self.end();
        self.reap().ok().flatten()
    }

    /// Returns the exit status of the program, or `None` if it is unknown. Call it after [`Self::end`].
    pub(super) fn reap(&mut self) -> io::Result<Option<ExitStatus>> {
        self.reaped = true;
        let received = self.received.get_mut();
        if received.is_over {
            // This fails only if other code of the host reaps all children.
            let _ = self.keeper.wait();
        } else {
            let keeper = Pid::from_child(&self.keeper);
            // Reap the keeper whenever it ends, so that no zombie stays.
            thread::Builder::new().spawn(move || {
                let _ = rustix::process::waitpid(Some(keeper), rustix::process::WaitOptions::empty());
            })?;
        }
        Ok(received.status)
    }
}

impl Received {
    /// Reads all available reports of the keeper.
    fn read(&mut self, mut report: &File) {
        let mut bytes = [0; 512];
        while !self.is_over {
            let count = match report.read(&mut bytes) {
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return,
            };
            self.is_over = count == 0;
            // Each report is written with one call, so it is never split.
            for word in bytes.get(..count).unwrap_or_default().chunks_exact(8) {
                let number = |at: usize| word.get(at..at + 4)?.try_into().ok().map(i32::from_ne_bytes);
                let (Some(first), Some(second)) = (number(0), number(4)) else { continue };
                match Word::from_number(first) {
                    Some(Word::Exited) => self.status = Some(ExitStatus::from_raw(second)),
                    Some(Word::Survivors) => self.left.push(second),
                    Some(Word::Gone) => self.is_gone = true,
                    None => {}
                }
            }
        }
    }
}

/// The interval at which the processes of a run are counted.
const COUNTED: Duration = Duration::from_millis(20);

/// Counts the processes of a run if the user is root, because the kernel does not limit root.
#[derive(Debug)]
pub(super) struct Census {
    keeper: Pid,
    most: u64,
    next: Instant,
}

impl Census {
    /// Returns `true` if the run has too many processes. Between two counts it returns `false`.
    pub(super) fn is_over(&mut self) -> bool {
        if Instant::now() < self.next {
            return false;
        }
        let is_over = descendants(self.keeper) > self.most;
        self.next = Instant::now() + COUNTED;
        is_over
    }

    /// Returns the time until the next count.
    pub(super) fn pause(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        if !self.reaped {
            self.end();
            let _ = self.reap();
        }
    }
}
