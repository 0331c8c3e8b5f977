//! A started process with all its descendants, which end together.

mod children;
#[cfg(target_os = "linux")]
mod clone;
mod keeper;
mod reaper;

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

pub(super) use self::children::can_count;
use self::children::descendants;
use self::keeper::above_streams;
use self::reaper::{END, STARTED, TERMINATE, Word};
use super::command::{self, Confined};
use super::inherited;
use super::limit::{self, ResourceLimit};
use super::resources::RunResources;
use super::shebang::StartFault;
use crate::{Limits, Request};

/// The time that killed processes may take to exit. On a machine under load, they need a while.
const DEATH: Duration = Duration::from_secs(5);

/// The time after which a keeper that does not answer is continued again.
const STOPPED: Duration = Duration::from_millis(100);

/// The settings of a start that a [`Command`] does not have.
pub(super) struct StartSettings<'a> {
    /// Whether the program reads from a pipe. Otherwise its input is empty.
    pub(super) takes_input: bool,
    pub(super) limits: &'a Limits,
    /// How the thread that starts the program is confined.
    pub(super) confined: Option<&'a Confined>,
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "elsewhere, the standard library waits")
    )]
    pub(super) patience: Patience<'a>,
}

/// How long a start may take: exec can hang, for example on a file system of a server that is gone.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Patience<'a> {
    /// The end of the time limit of the run.
    pub(super) limit: Option<Instant>,
    /// Becomes readable when the handle of the run is dropped.
    pub(super) cancel: Option<BorrowedFd<'a>>,
}

impl StartSettings<'_> {
    fn choose_limits(&self) -> Vec<ResourceLimit> {
        limit::choose(self.limits, self.confined.is_some())
    }
}

/// A program that was started below a keeper.
pub(super) struct Started {
    keeper: Keeper,
    host: HostSide,
    /// The host's ends of the program's streams.
    pipes: [Option<OwnedFd>; 3],
    received: Received,
}

impl Started {
    /// Starts `command` as the leader of a new process group, below a keeper. The environment of `command` must have been
    /// cleared before it was filled.
    pub(super) fn start(command: Command, settings: &StartSettings<'_>) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(started) = clone::start(&command, settings)? {
            return Ok(started);
        }
        Self::fork(command, settings)
    }

    /// Starts `command` like [`Self::start`], with any environment. The keeper is a fork of this process.
    fn fork(mut command: Command, settings: &StartSettings<'_>) -> io::Result<Self> {
        command.stdin(if settings.takes_input { Stdio::piped() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let (host, host_pipe, report) = HostSide::new()?;
        let scoped = settings.confined.is_some_and(|confined| confined.scoped);
        // The settings after the keeper apply only to the program.
        keeper::put_between(&mut command, host_pipe, report, scoped);
        inherited::keep_from(&mut command);
        limit::set(&mut command, settings.choose_limits());
        if let Some(confined) = settings.confined {
            confined.put_on(&mut command)?;
        }
        // The end of this function drops the command, which holds the keeper's ends of the pipes.
        // If exec fails and other code of the host reaps the child, the standard library panics.
        let spawned = catch_unwind(AssertUnwindSafe(|| command.spawn()));
        let mut child =
            spawned.unwrap_or_else(|_| Err(io::Error::other("its start failed, without a reason")))?;
        let pipes = [
            child.stdin.take().map(OwnedFd::from),
            child.stdout.take().map(OwnedFd::from),
            child.stderr.take().map(OwnedFd::from),
        ];
        Ok(Self { keeper: Keeper::forked(&child), host, pipes, received: Received::default() })
    }
}

/// The host's side of the connection to a keeper.
struct HostSide {
    pipe: HostPipe,
    report: File,
}

/// The pipe to a keeper. Closing it makes the keeper end the run.
#[derive(Debug)]
struct HostPipe {
    writer: File,
    /// The other end, which is never read. While it is open, a command to a keeper that is gone causes no SIGPIPE.
    _reader: OwnedFd,
}

impl HostPipe {
    /// Returns `true` if the command is in the pipe. The pipe may be full, because the program may write to it.
    fn send(&mut self, command: u8) -> bool {
        self.writer.write(&[command]).is_ok()
    }
}

impl HostSide {
    /// Creates the connection. Also returns the keeper's ends of both pipes.
    fn new() -> io::Result<(Self, OwnedFd, OwnedFd)> {
        let ((held, pipe), (report, status_out)) = (keeper::pipe()?, keeper::pipe()?);
        // A program without a sandbox can reach the keeper's ends. It must not make this process wait.
        for end in [&report, &pipe] {
            fcntl_setfl(end, fcntl_getfl(end)? | OFlags::NONBLOCK)?;
        }
        let pipe = HostPipe { writer: pipe.into(), _reader: above_streams(held.try_clone()?)? };
        Ok((Self { pipe, report: report.into() }, held, status_out))
    }
}

/// The process of a keeper, which is a child of this process until it is reaped.
#[derive(Debug)]
struct Keeper {
    pid: Pid,
    has_ended: bool,
    /// The memory that it uses, if it shares the memory of this process.
    #[cfg(target_os = "linux")]
    memory: Option<clone::KeeperMemory>,
}

impl Keeper {
    fn forked(child: &Child) -> Self {
        Self {
            pid: Pid::from_child(child),
            has_ended: false,
            #[cfg(target_os = "linux")]
            memory: None,
        }
    }

    /// Waits until the keeper has ended, at most until `deadline`, and continues it if it is stopped. Returns `true` if it
    /// has ended.
    fn wait_until(&mut self, deadline: Instant) -> bool {
        while !self.wait(WaitOptions::NOHANG) {
            let rest = deadline.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return false;
            }
            if !self.sleep(rest.min(STOPPED)) {
                // It is not reaped yet, so its pid is still valid.
                let _ = kill_process(self.pid, Signal::CONT);
            }
        }
        true
    }

    /// Reaps the keeper if it has ended. Returns `true` if it has.
    fn wait(&mut self, options: WaitOptions) -> bool {
        while !self.has_ended {
            match waitpid(Some(self.pid), options) {
                Ok(None) => return false,
                Err(Errno::INTR) => {}
                // Another error means that other code of the host has reaped it.
                Ok(Some(_)) | Err(_) => self.has_ended = true,
            }
        }
        true
    }

    /// Sleeps until the keeper has ended. Returns `false` if that took the whole time.
    fn sleep(&self, time: Duration) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(handle) = reaper::handle(self.pid) {
            let mut polled = [PollFd::new(&handle, PollFlags::IN)];
            return poll(&mut polled, Timespec::try_from(time).ok().as_ref()) != Ok(0);
        }
        thread::sleep(time.min(Duration::from_millis(1)));
        false
    }

    /// Reaps the keeper now or whenever it ends, so that no zombie stays, and releases its memory. `is_unused` means that
    /// no process can use the memory after the keeper has ended.
    fn retire(mut self, deadline: Instant, is_unused: bool) -> io::Result<()> {
        if self.wait_until(deadline) {
            self.release(is_unused);
            return Ok(());
        }
        thread::Builder::new().spawn(move || {
            self.wait(WaitOptions::empty());
            self.release(is_unused);
        })?;
        Ok(())
    }

    #[cfg_attr(not(target_os = "linux"), expect(clippy::unused_self, reason = "only Linux shares memory"))]
    fn release(self, is_unused: bool) {
        #[cfg(target_os = "linux")]
        if let Some(memory) = self.memory.filter(|_| is_unused) {
            memory.release();
        }
        #[cfg(not(target_os = "linux"))]
        let _ = is_unused;
    }
}

/// A run: the keeper, the program, and all processes that the program has started. Dropping it ends all of
/// them.
#[derive(Debug)]
pub(crate) struct ProcessTree {
    pid: Pid,
    /// `None` after it was reaped.
    keeper: Option<Keeper>,
    pipes: [Option<OwnedFd>; 3],
    host_pipe: Option<HostPipe>,
    report: File,
    received: RefCell<Received>,
    /// Released when all processes have exited.
    resources: RunResources,
}

/// The facts that the keeper has reported.
#[derive(Debug, Default)]
struct Received {
    /// Whether the program could be started, if the keeper reports it.
    start: Option<Result<(), Errno>>,
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
    pub(super) fn start(request: &Request, patience: Patience<'_>) -> Result<Self, StartFault> {
        let (started, resources) = command::spawn(request, patience)?;
        Ok(Self::new(started, resources))
    }

    /// Starts a command that is not a skill and has no sandbox.
    pub(crate) fn start_command(command: Command, limits: &Limits) -> io::Result<Self> {
        let settings =
            StartSettings { takes_input: true, limits, confined: None, patience: Patience::default() };
        Ok(Self::new(Started::fork(command, &settings)?, RunResources::default()))
    }

    fn new(Started { keeper, host, pipes, received }: Started, resources: RunResources) -> Self {
        let HostSide { pipe: mut host_pipe, report } = host;
        // On Linux, the keeper notices when no process is left. On other systems, it waits for this byte; without it,
        // the program did not start.
        if cfg!(not(target_os = "linux")) {
            host_pipe.send(STARTED);
        }
        Self {
            pid: keeper.pid,
            keeper: Some(keeper),
            pipes,
            host_pipe: Some(host_pipe),
            report,
            received: RefCell::new(received),
            resources,
        }
    }

    /// Takes this process's ends of the three streams. The input has none if it is empty.
    pub(crate) fn take_pipes(&mut self) -> [Option<OwnedFd>; 3] {
        std::mem::take(&mut self.pipes)
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
        Census { keeper: self.pid, most, next: Instant::now() }
    }

    /// Sends SIGTERM to the process group.
    pub(crate) fn ask(&mut self) {
        if let Some(host_pipe) = &mut self.host_pipe {
            host_pipe.send(TERMINATE);
        }
    }

    /// Kills all processes of the run, and waits until they have exited.
    pub(super) fn end(&mut self) -> Survivors {
        let deadline = Instant::now() + DEATH;
        let received = self.received.get_mut();
        loop {
            // A pipe is full if the program has filled it. Then the keeper has to read first.
            if self.host_pipe.as_mut().is_some_and(|host_pipe| host_pipe.send(END)) {
                self.host_pipe = None;
            }
            received.read(&self.report);
            let rest = deadline.saturating_duration_since(Instant::now());
            if received.is_over || rest.is_zero() {
                break;
            }
            // The keeper is not reaped yet, so its pid is still valid. A program without a sandbox may have stopped it, and
            // may do so again.
            let _ = kill_process(self.pid, Signal::CONT);
            let mut polled = [PollFd::new(&self.report, PollFlags::IN)];
            let _ = poll(&mut polled, Timespec::try_from(rest.min(STOPPED)).ok().as_ref());
        }
        self.host_pipe = None;
        // A program without a sandbox can write reports, too. Only the end of the keeper confirms them.
        if !self.keeper.as_mut().is_none_or(|keeper| keeper.wait_until(deadline)) {
            received.is_gone = false;
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
        let received = self.received.get_mut();
        if let Some(keeper) = self.keeper.take() {
            keeper.retire(Instant::now(), received.is_memory_unused())?;
        }
        Ok(received.status)
    }
}

/// The maximum number of reads at a time, enough for a full pipe.
const READS: u32 = 256;

/// The maximum number of processes that an outcome names as left. A program without a sandbox can report more.
const NAMED: usize = 100;

impl Received {
    /// Returns `true` if no process uses the memory of the keeper after the keeper has ended: the program has called exec or
    /// has ended. Until then the program holds the pipe for reports open, too, so the end of the reports confirms it.
    fn is_memory_unused(&self) -> bool {
        self.start.is_some() || self.is_over
    }

    /// Reads all available reports of the keeper.
    fn read(&mut self, mut report: &File) {
        let mut bytes = [0; 512];
        // A program without a sandbox can write faster than this process reads.
        for _ in 0..READS {
            if self.is_over {
                return;
            }
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
                    Some(Word::Survivors) if self.left.len() < NAMED => self.left.push(second),
                    // The last report. A process that the host forked without exec may hold the pipe open.
                    Some(Word::Gone) => (self.is_gone, self.is_over) = (true, true),
                    Some(Word::Started) => self.start = Some(Ok(())),
                    Some(Word::Failed) => self.start = Some(Err(Errno::from_raw_os_error(second))),
                    Some(Word::Survivors) | None => {}
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
        if self.keeper.is_some() {
            self.end();
            let _ = self.reap();
        }
    }
}
