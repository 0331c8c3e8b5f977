//! A started process and all that it starts, which end together (SPEC 7.2).

mod children;
mod keeper;
mod reaper;

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::ExitStatusExt;
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
use super::kept::Kept;
use super::shebang::StartFault;
use crate::Request;

/// How long killed processes may take to be gone; on a machine under load they wait for their turn to die.
const DEATH: Duration = Duration::from_secs(5);

/// The host's side of a keeper that is not started yet.
#[derive(Debug)]
pub(super) struct Leash {
    /// The keeper ends the run when this is closed.
    leash: File,
    report: File,
}

impl Leash {
    /// Has `command` start its program below a keeper; `scoped` as for [`keeper::put_between`].
    pub(super) fn put_on(command: &mut Command, scoped: bool) -> io::Result<Self> {
        let ((held, leash), (report, told)) = (keeper::pipe()?, keeper::pipe()?);
        fcntl_setfl(&report, fcntl_getfl(&report)? | OFlags::NONBLOCK)?;
        keeper::put_between(command, held, told, scoped);
        Ok(Self { leash: leash.into(), report: report.into() })
    }
}

/// A run: its keeper, and through it the program and all that the program has started. Dropped, all of it is ended.
#[derive(Debug)]
pub(super) struct Tree {
    keeper: Child,
    leash: Option<File>,
    report: File,
    told: RefCell<Told>,
    reaped: bool,
    /// Goes when all processes have gone.
    kept: Kept,
}

/// What the keeper has told.
#[derive(Debug, Default)]
struct Told {
    status: Option<ExitStatus>,
    left: Vec<i32>,
    is_gone: bool,
    /// Whether it has exited.
    is_over: bool,
}

/// What could not be ended.
#[derive(Debug, Default)]
pub(super) struct Left {
    /// The processes that may not be killed, by their numbers.
    pub(super) processes: Vec<i32>,
    /// Whether there may be others.
    pub(super) unknown: bool,
    /// The directory for temporary files: a process that is left may use it.
    pub(super) scratch: Option<PathBuf>,
}

impl Tree {
    /// Starts the program of `request`, kept from before its first instruction.
    pub(super) fn start(request: &Request) -> Result<Self, StartFault> {
        let (keeper, Leash { mut leash, report }, kept) = command::spawn(request)?;
        // Linux tells the keeper when nobody is left; elsewhere it waits for this, or ends as for a program that was not started.
        if cfg!(not(target_os = "linux")) {
            let _ = leash.write(&[STARTED]);
        }
        Ok(Self { keeper, leash: Some(leash), report, told: RefCell::default(), reaped: false, kept })
    }

    /// The started process, for its pipes, which are those of the program.
    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.keeper
    }

    /// What becomes readable when the program exits.
    pub(super) fn exit(&self) -> BorrowedFd<'_> {
        self.report.as_fd()
    }

    /// Returns `true` if the program has exited, or nobody can tell any more.
    pub(super) fn has_exited(&self) -> bool {
        let mut told = self.told.borrow_mut();
        told.read(&self.report);
        told.status.is_some() || told.is_over
    }

    /// Counts the processes of the run now and then, to tell when there are more than `most`.
    pub(super) fn census(&self, most: u64) -> Census {
        Census { keeper: Pid::from_child(&self.keeper), most, next: Instant::now() }
    }

    /// Asks the group to end (SIGTERM).
    pub(super) fn ask(&mut self) {
        if let Some(leash) = &mut self.leash {
            // Fails only if the keeper is gone.
            let _ = leash.write(&[TERMINATE]);
        }
    }

    /// Kills everything, and waits until it is gone.
    pub(super) fn end(&mut self) -> Left {
        self.leash = None;
        // Not reaped yet, so the number is its own. A program without a sandbox may have stopped it.
        let _ = kill_process(Pid::from_child(&self.keeper), Signal::CONT);
        let deadline = Instant::now() + DEATH;
        let told = self.told.get_mut();
        loop {
            told.read(&self.report);
            let rest = deadline.saturating_duration_since(Instant::now());
            if told.is_over || rest.is_zero() {
                break;
            }
            let mut polled = [PollFd::new(&self.report, PollFlags::IN)];
            let _ = poll(&mut polled, Timespec::try_from(rest).ok().as_ref());
        }
        let unknown = !told.is_gone && told.left.is_empty();
        let scratch = if told.is_gone { None } else { self.kept.leave() };
        Left { processes: told.left.clone(), unknown, scratch }
    }

    /// Takes the exit status of the program, after [`Self::end`]; nothing if it is not known.
    pub(super) fn reap(&mut self) -> io::Result<Option<ExitStatus>> {
        self.reaped = true;
        let told = self.told.get_mut();
        if told.is_over {
            // Fails only if the host reaps all its children elsewhere.
            let _ = self.keeper.wait();
        } else {
            let keeper = Pid::from_child(&self.keeper);
            // Whenever it ends, no zombie stays.
            thread::Builder::new().spawn(move || {
                let _ = rustix::process::waitpid(Some(keeper), rustix::process::WaitOptions::empty());
            })?;
        }
        Ok(told.status)
    }
}

impl Told {
    /// Reads what there is.
    fn read(&mut self, mut report: &File) {
        let mut bytes = [0; 512];
        while !self.is_over {
            let count = match report.read(&mut bytes) {
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return,
            };
            self.is_over = count == 0;
            // Words are written at once, so none is cut.
            for word in bytes.get(..count).unwrap_or_default().chunks_exact(8) {
                let number = |at: usize| word.get(at..at + 4)?.try_into().ok().map(i32::from_ne_bytes);
                let (Some(first), Some(second)) = (number(0), number(4)) else { continue };
                match Word::of(first) {
                    Some(Word::Exited) => self.status = Some(ExitStatus::from_raw(second)),
                    Some(Word::Left) => self.left.push(second),
                    Some(Word::Gone) => self.is_gone = true,
                    None => {}
                }
            }
        }
    }
}

/// How often the processes of a run are counted.
const COUNTED: Duration = Duration::from_millis(20);

/// The processes of a run, counted where the kernel does not: root has no limit of them.
#[derive(Debug)]
pub(super) struct Census {
    keeper: Pid,
    most: u64,
    next: Instant,
}

impl Census {
    /// Returns `true` if there are more than may be; between two counts it says no.
    pub(super) fn is_over(&mut self) -> bool {
        if Instant::now() < self.next {
            return false;
        }
        let is_over = descendants(self.keeper) > self.most;
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
            self.end();
            let _ = self.reap();
        }
    }
}
