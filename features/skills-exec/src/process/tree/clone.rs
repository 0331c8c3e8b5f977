//! Starts a keeper that shares the memory of the host, so that a run costs the same in a large host as in a small one.
//!
//! The keeper, and the program until it calls exec, are processes of their own on stacks of their own, but in the memory
//! of the host, as after `vfork`. They differ from a fork in nothing else. They read one value of the host, [`Launch`],
//! which lives until the program has started. They write only to their stacks, make only system calls (`raw`), and
//! never use the C library, which has its state in the memory of the host.

use std::ffi::{CString, OsStr, OsString, c_char, c_int, c_void};
use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, IntoRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::Command;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, chdir, getpid, getppid, kill_process, set_child_subreaper, setpgid};

use super::keeper::{self, above_streams, pipe};
use super::reaper::{Word, send};
use super::{DEATH, HostSide, Keeper, Patience, Received, STOPPED, StartSettings, Started};
use crate::process::limit::{self, ResourceLimit};
use crate::process::{confine, inherited, raw};

/// Starts `command` below a keeper. Returns `None` if this is not possible on this system. The environment of `command`
/// must have been cleared before it was filled.
pub(super) fn start(command: &Command, settings: &StartSettings<'_>) -> io::Result<Option<Started>> {
    if !raw::avoids_the_c_library() || !inherited::marks_ranges() || !is_plain(command) {
        return Ok(None);
    }
    let (host, host_pipe, report) = HostSide::new()?;
    let (stdin, stdin_writer) = if settings.takes_input {
        let (reader, writer) = pipe()?;
        (reader, Some(writer))
    } else {
        (above_streams(File::open("/dev/null")?.into())?, None)
    };
    let ((stdout_reader, stdout), (stderr_reader, stderr)) = (pipe()?, pipe()?);
    let ends = [stdin, stdout, stderr, host_pipe, report];
    let mut launch = Box::new(Launch::new(command, settings, &ends)?);
    let Some(stacks) = Stacks::new() else { return Ok(None) };
    (launch.program_stack, launch.thread_memory) = (stacks.of_program(), stacks.thread_memory());
    let launch = ManuallyDrop::new(launch);
    let Some(pid) = launch.clone_keeper(&stacks) else {
        drop(ManuallyDrop::into_inner(launch));
        stacks.unmap();
        return Ok(None);
    };
    // The new processes have copies of these descriptors.
    drop(ends);
    let received = wait_for_start(&host, pid, settings.patience);
    let mut memory = KeeperMemory { stacks, launch: Some(launch) };
    if received.start.is_some() {
        drop(memory.launch.take().map(ManuallyDrop::into_inner));
    }
    let keeper = Keeper { pid, has_ended: false, memory: Some(memory) };
    if let Some(Err(error)) = received.start {
        keeper.retire(Instant::now() + DEATH, true)?;
        return Err(error.into());
    }
    let pipes = [stdin_writer, Some(stdout_reader), Some(stderr_reader)];
    Ok(Some(Started { keeper, host, pipes, received }))
}

/// Returns `true` if the path of the program is absolute, so that it is not searched in `PATH`, and no argument contains
/// a NUL byte. Instead of such an argument, the standard library keeps the text below, and its `spawn` fails.
fn is_plain(command: &Command) -> bool {
    let has_nul = command.get_args().any(|argument| argument == "<string-with-nul>");
    command.get_program().as_bytes().starts_with(b"/") && !has_nul
}

/// Waits until the keeper reports that the program has been started or not, and returns its reports. Gives up when the run
/// has no time left: then the run is ended like any other.
fn wait_for_start(host: &HostSide, keeper: Pid, patience: Patience<'_>) -> Received {
    let mut received = Received::default();
    loop {
        received.read(&host.report);
        let rest = patience.limit.map(|limit| limit.saturating_duration_since(Instant::now()));
        if received.start.is_some() || received.is_over || rest.is_some_and(|rest| rest.is_zero()) {
            return received;
        }
        let pause = rest.unwrap_or(STOPPED).min(STOPPED);
        let cancel = patience.cancel.unwrap_or(host.report.as_fd());
        let mut polled = [host.report.as_fd(), cancel].map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        let ready = poll(&mut polled, Timespec::try_from(pause).ok().as_ref());
        if patience.cancel.is_some() && !polled[1].revents().is_empty() {
            return received;
        }
        if ready == Ok(0) {
            // The first instruction of a program without a sandbox may have stopped the keeper, which is not reaped yet.
            let _ = kill_process(keeper, Signal::CONT);
        }
    }
}

/// The numbers of the descriptors in the keeper, and in the program until exec. The first three are the streams.
const HOST_PIPE: RawFd = 3;
const REPORT: RawFd = 4;
const RULES: RawFd = 5;

/// What the keeper and the program read until the program has started. Nobody changes it meanwhile, except the keeper,
/// which sets two numbers before it starts the program.
#[derive(Debug)]
struct Launch {
    program: CString,
    /// The lists for exec, which point into the strings.
    argv: Vec<*const c_char>,
    envp: Vec<*const c_char>,
    _strings: [Vec<CString>; 2],
    directory: Option<CString>,
    /// The descriptors in this process, in the order of their numbers in the keeper. The last one is unused without rules.
    given: [RawFd; 6],
    limits: Vec<ResourceLimit>,
    has_rules: bool,
    scoped: bool,
    keeper: AtomicI32,
    /// The descriptor that receives the error number if exec fails, and is closed by exec.
    start: AtomicI32,
    program_stack: usize,
    thread_memory: usize,
}

impl Launch {
    fn new(command: &Command, settings: &StartSettings<'_>, ends: &[OwnedFd; 5]) -> io::Result<Self> {
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let arguments = words.map(with_end).collect::<io::Result<Vec<_>>>()?;
        let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let environment = variables
            .map(|(name, value)| with_end(&[name, value].join(OsStr::new("="))))
            .collect::<io::Result<Vec<_>>>()?;
        let [stdin, stdout, stderr, host_pipe, report] = ends.each_ref().map(AsRawFd::as_raw_fd);
        let rules = settings.confined.map(|confined| confined.rules().as_raw_fd());
        Ok(Self {
            program: with_end(command.get_program())?,
            argv: null_terminated(&arguments),
            envp: null_terminated(&environment),
            _strings: [arguments, environment],
            directory: command.get_current_dir().map(|path| with_end(path.as_os_str())).transpose()?,
            given: [stdin, stdout, stderr, host_pipe, report, rules.unwrap_or(report)],
            limits: settings.choose_limits(),
            has_rules: rules.is_some(),
            scoped: settings.confined.is_some_and(|confined| confined.scoped),
            keeper: AtomicI32::new(0),
            start: AtomicI32::new(0),
            program_stack: 0,
            thread_memory: 0,
        })
    }

    /// Starts the keeper. Returns `None` if the system refuses it.
    fn clone_keeper(&self, stacks: &Stacks) -> Option<Pid> {
        // A handler of the host must not run in the keeper, where it would change the memory of the host.
        let before = raw::BlockedSignals::ALL.set();
        let keeper = start_process(become_keeper, stacks.of_keeper(), self);
        before.set();
        keeper.ok()
    }

    /// Does the work of the keeper. Returns only if no program can be started: the descriptor for reports, and the error.
    fn keep(&self) -> (RawFd, Errno) {
        if let Err(error) = self.take_descriptors() {
            let [.., report, _] = self.given;
            return (report, error);
        }
        match self.start_program() {
            Ok((program, starts, scoped, host)) => {
                let pipes = keeper::Pipes { host: HOST_PIPE, report: REPORT, starts: Some(starts) };
                keeper::keep(program, pipes, scoped, host)
            }
            Err(error) => (REPORT, error),
        }
    }

    /// Gives the descriptors of this process their numbers, and closes all others. A pipe of another run must not depend on
    /// how fast this program starts.
    fn take_descriptors(&self) -> rustix::io::Result<()> {
        const LAST: RawFd = RULES;
        let mut given = self.given;
        for fd in given.iter_mut().filter(|fd| **fd <= LAST) {
            // SAFETY: the descriptor is open in this process.
            #[expect(unsafe_code, reason = "the owner of the descriptor is in the host")]
            let owned = unsafe { BorrowedFd::borrow_raw(*fd) };
            *fd = fcntl_dupfd_cloexec(owned, LAST + 1)?.into_raw_fd();
        }
        for (from, to) in given.into_iter().zip(0..) {
            // SAFETY: the descriptors of the host have copies above the last number, so the copy replaces none that this
            // process needs.
            #[expect(unsafe_code, reason = "the keeper and the program expect these numbers")]
            unsafe {
                raw::copy_descriptor(from, to)?;
            }
        }
        // SAFETY: this process uses no other descriptor.
        #[expect(unsafe_code, reason = "the owners of the descriptors are in the host")]
        unsafe {
            raw::close_range((LAST + 1).cast_unsigned())
        }
    }

    /// Starts the program. Returns its pid, the descriptor that says how the start ends, whether the program has a scope,
    /// and the pid of the host.
    fn start_program(&self) -> rustix::io::Result<(Pid, RawFd, bool, Option<Pid>)> {
        setpgid(None, None)?;
        let (host, keeper) = (getppid(), getpid());
        set_child_subreaper(Some(keeper))?;
        let scoped = self.scoped && host.is_some_and(keeper::is_out_of_reach);
        // If the host ignores SIGCHLD, its children leave no exit status.
        raw::set_default_action(libc::SIGCHLD);
        let (starts, start) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        // The owners are never dropped: the C library would close the descriptors.
        let (starts, start) = (starts.into_raw_fd(), start.into_raw_fd());
        self.start.store(start, Ordering::Relaxed);
        self.keeper.store(keeper.as_raw_pid(), Ordering::Relaxed);
        let program = start_process(become_program, self.program_stack, self)?;
        // SAFETY: only the program needs it from here on.
        #[expect(unsafe_code, reason = "the descriptor has no owner")]
        unsafe {
            raw::close(start);
        }
        Ok((program, starts, scoped, host))
    }

    /// Turns this process into the program. Returns only if that fails.
    fn exec(&self) -> Errno {
        match self.prepare() {
            Ok(()) => {
                // SAFETY: both lists end with a null pointer. Their strings live as long as this value.
                #[expect(unsafe_code, reason = "rustix has no stable call for it")]
                unsafe {
                    raw::exec(&self.program, &self.argv, &self.envp)
                }
            }
            Err(error) => error,
        }
    }

    fn prepare(&self) -> rustix::io::Result<()> {
        if let Some(directory) = &self.directory {
            chdir(directory.as_c_str())?;
        }
        setpgid(None, None)?;
        keeper::end_with(Pid::from_raw(self.keeper.load(Ordering::Relaxed)).ok_or(Errno::PIPE)?)?;
        inherited::mark_all()?;
        limit::apply(&self.limits)?;
        if self.has_rules {
            // SAFETY: the descriptor is open in this process until exec.
            #[expect(unsafe_code, reason = "the descriptor has no owner in this process")]
            raw::restrict_self(unsafe { BorrowedFd::borrow_raw(RULES) })?;
            confine::give_up_capabilities()?;
        }
        // From here on, a signal ends the process.
        raw::reset_signals();
        Ok(())
    }
}

extern "C" fn become_keeper(launch: *mut c_void) -> c_int {
    let (report, error) = launched(launch).keep();
    // SAFETY: the descriptor is open in this process.
    #[expect(unsafe_code, reason = "the descriptor has no owner in this process")]
    send(unsafe { BorrowedFd::borrow_raw(report) }, Word::Failed, error.raw_os_error());
    raw::exit(127)
}

extern "C" fn become_program(launch: *mut c_void) -> c_int {
    let launch = launched(launch);
    // SAFETY: the descriptor is open in this process.
    #[expect(unsafe_code, reason = "the descriptor has no owner in this process")]
    let start = unsafe { BorrowedFd::borrow_raw(launch.start.load(Ordering::Relaxed)) };
    let error = launch.exec();
    // It fails only if the keeper is gone. After it, the host may release the memory of `launch`.
    let _ = rustix::io::write(start, &error.raw_os_error().to_ne_bytes());
    raw::exit(127)
}

fn launched<'a>(launch: *mut c_void) -> &'a Launch {
    // SAFETY: `start_process` got a reference to this value, and the host does not drop it before the keeper reports that
    // the program has called exec or that the start has failed. Then neither process uses it any more.
    #[expect(unsafe_code, reason = "a new process gets its argument as a pointer")]
    unsafe {
        &*launch.cast::<Launch>()
    }
}

/// Starts a child process that shares the memory of this one and calls `main` on another stack. All signals must be
/// blocked.
fn start_process(
    main: extern "C" fn(*mut c_void) -> c_int,
    stack: usize,
    launch: &Launch,
) -> rustix::io::Result<Pid> {
    let argument = ptr::from_ref(launch).cast_mut().cast();
    // SAFETY: no other process uses the stack. The keeper and the program share the thread-local memory, but the keeper
    // uses none. The stack and the value live until the new process has ended or does not use them any more. `main` does
    // not return and uses nothing of the C library.
    #[expect(unsafe_code, reason = "the new process uses memory that the host owns")]
    let pid = unsafe { raw::start_process(main, stack, launch.thread_memory, argument)? };
    i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or(Errno::AGAIN)
}

/// Returns pointers to these strings, and a null pointer.
fn null_terminated(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

/// Returns the text as a C string, or the error of the standard library for a text with a NUL byte.
fn with_end(text: &OsStr) -> io::Result<CString> {
    CString::new(OsString::from(text).into_vec())
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "nul byte found in provided data"))
}

/// The memory that a keeper uses. Dropping this does not release it, because the keeper may still exist.
#[derive(Debug)]
pub(super) struct KeeperMemory {
    stacks: Stacks,
    /// `None` after the program has started.
    launch: Option<ManuallyDrop<Box<Launch>>>,
}

// SAFETY: the pointers of the launch lead to its own strings, which no thread changes.
#[expect(unsafe_code, reason = "the lists for exec consist of pointers")]
unsafe impl Send for KeeperMemory {}

impl KeeperMemory {
    /// Releases the memory. The processes that used it must have ended.
    pub(super) fn release(self) {
        drop(self.launch.map(ManuallyDrop::into_inner));
        self.stacks.unmap();
    }
}

/// The memory for the stacks of a keeper and of its program before exec, with inaccessible memory below them, and for
/// thread-local memory, which lies below the stack of the program. Dropping this does not release it.
#[derive(Debug)]
struct Stacks {
    address: usize,
}

impl Stacks {
    /// At least one page on all systems.
    const GUARD: usize = 64 << 10;
    /// Thread-local memory lies on both sides of its address.
    const THREAD: usize = 64 << 10;
    const PROGRAM: usize = 64 << 10;
    const KEEPER: usize = 256 << 10;
    const SIZE: usize = 2 * Self::GUARD + Self::THREAD + Self::PROGRAM + Self::KEEPER;

    /// Reserves the memory. It takes space when it is first written.
    fn new() -> Option<Self> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
        // SAFETY: the kernel chooses an address that is free, so no memory in use changes.
        #[expect(unsafe_code, reason = "the stack of a process needs inaccessible memory below it")]
        let mapped = unsafe { libc::mmap(ptr::null_mut(), Self::SIZE, libc::PROT_NONE, flags, -1, 0) };
        if mapped == libc::MAP_FAILED {
            return None;
        }
        let stacks = Self { address: mapped.expose_provenance() };
        let parts = [(stacks.of_program(), Self::THREAD + Self::PROGRAM), (stacks.of_keeper(), Self::KEEPER)];
        if parts.into_iter().all(|(end, size)| stacks.open(end, size)) {
            stacks.fill_thread_memory();
            return Some(stacks);
        }
        stacks.unmap();
        None
    }

    /// Makes a part accessible that ends at this address.
    fn open(&self, end: usize, size: usize) -> bool {
        let part = ptr::with_exposed_provenance_mut(end - size);
        // SAFETY: the part is in memory that is mapped by this value and not used yet.
        #[expect(unsafe_code, reason = "only a part of the mapped memory is accessible")]
        unsafe {
            libc::mprotect(part, size, libc::PROT_READ | libc::PROT_WRITE) == 0
        }
    }

    /// Writes the first word of the thread-local memory: its own address, as compilers expect.
    fn fill_thread_memory(&self) {
        let first = ptr::with_exposed_provenance_mut(self.thread_memory());
        // SAFETY: the memory is mapped by this value, accessible, aligned and not used yet.
        #[expect(unsafe_code, reason = "the memory was mapped by a system call")]
        unsafe {
            ptr::write(first, self.thread_memory());
        }
    }

    /// Returns the end of the stack of the program. Stacks grow down.
    fn of_program(&self) -> usize {
        self.address + Self::GUARD + Self::THREAD + Self::PROGRAM
    }

    fn thread_memory(&self) -> usize {
        self.address + Self::GUARD + Self::THREAD / 2
    }

    fn of_keeper(&self) -> usize {
        self.address + Self::SIZE
    }

    /// Releases the memory. The processes that used it must have ended.
    fn unmap(self) {
        // SAFETY: this value has mapped the memory, and it is consumed.
        #[expect(unsafe_code, reason = "the memory was mapped by a system call")]
        unsafe {
            libc::munmap(ptr::with_exposed_provenance_mut(self.address), Self::SIZE);
        }
    }
}
