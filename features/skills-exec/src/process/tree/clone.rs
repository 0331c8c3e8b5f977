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
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::Command;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::io::Errno;
use rustix::process::{Pid, chdir, getpid, getppid, set_child_subreaper, setpgid};

use super::keeper::{self, above_streams, pipe};
use super::{HostSide, Keeper, StartSettings, Started};
use crate::process::limit::{self, ResourceLimit};
use crate::process::{confine, inherited, raw};

/// Starts `command` below a keeper. Returns `None` if this is not possible on this system. The environment of `command`
/// must have been cleared before it was filled.
pub(super) fn start(command: &Command, settings: &StartSettings<'_>) -> io::Result<Option<Started>> {
    if !raw::avoids_the_c_library() || !inherited::marks_ranges() || !is_plain(command) {
        return Ok(None);
    }
    let (host, host_pipe, report) = HostSide::new()?;
    let (failures, failure) = pipe()?;
    let (stdin, stdin_writer) = if settings.takes_input {
        let (reader, writer) = pipe()?;
        (reader, Some(writer))
    } else {
        (above_streams(File::open("/dev/null")?.into())?, None)
    };
    let ((stdout_reader, stdout), (stderr_reader, stderr)) = (pipe()?, pipe()?);
    let ends = [stdin, stdout, stderr, host_pipe, report, failure];
    let mut launch = Box::new(Launch::new(command, settings, &ends)?);
    let Some(stacks) = Stacks::new() else { return Ok(None) };
    (launch.program_stack, launch.thread_memory) = (stacks.of_program(), stacks.thread_memory());
    let launch = ManuallyDrop::new(launch);
    let Some(pid) = launch.clone_keeper(&stacks) else {
        drop(ManuallyDrop::into_inner(launch));
        stacks.unmap();
        return Ok(None);
    };
    // The new processes have copies of these descriptors, and the wait ends when they have closed them.
    drop(ends);
    let keeper = Keeper { pid, stacks: Some(stacks) };
    // If the wait fails, the value is never dropped, because the processes may still read it.
    let failed = wait_for_start(&failures)?;
    drop(ManuallyDrop::into_inner(launch));
    if let Some(error) = failed {
        keeper.wait();
        return Err(error.into());
    }
    Ok(Some(Started { keeper, host, pipes: [stdin_writer, Some(stdout_reader), Some(stderr_reader)] }))
}

/// Returns `true` if the path of the program is absolute, so that it is not searched in `PATH`, and no argument contains
/// a NUL byte. Instead of such an argument, the standard library keeps the text below, and its `spawn` fails.
fn is_plain(command: &Command) -> bool {
    let has_nul = command.get_args().any(|argument| argument == "<string-with-nul>");
    command.get_program().as_bytes().starts_with(b"/") && !has_nul
}

/// Waits until the program has been started and the keeper has closed its descriptors. Returns the reason if the
/// program could not be started.
fn wait_for_start(failures: &OwnedFd) -> io::Result<Option<Errno>> {
    let (mut failed, mut bytes) = (None, [0; 4]);
    loop {
        match rustix::io::read(failures, &mut bytes) {
            Ok(0) => return Ok(failed),
            Ok(_) => failed = Some(Errno::from_raw_os_error(i32::from_ne_bytes(bytes))),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// What the keeper and the program read until the program has started. Nobody changes it meanwhile, except the keeper,
/// which sets its own pid before it starts the program.
struct Launch {
    program: CString,
    /// The lists for exec, which point into the strings.
    argv: Vec<*const c_char>,
    envp: Vec<*const c_char>,
    _strings: [Vec<CString>; 2],
    directory: Option<CString>,
    streams: [RawFd; 3],
    host_pipe: RawFd,
    report: RawFd,
    /// Receives the error number if the program cannot be started.
    failure: RawFd,
    limits: Vec<ResourceLimit>,
    rules: Option<RawFd>,
    scoped: bool,
    keeper: AtomicI32,
    program_stack: usize,
    thread_memory: usize,
}

impl Launch {
    fn new(command: &Command, settings: &StartSettings<'_>, ends: &[OwnedFd; 6]) -> io::Result<Self> {
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let arguments = words.map(with_end).collect::<io::Result<Vec<_>>>()?;
        let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let environment = variables
            .map(|(name, value)| with_end(&[name, value].join(OsStr::new("="))))
            .collect::<io::Result<Vec<_>>>()?;
        let [stdin, stdout, stderr, host_pipe, report, failure] = ends.each_ref().map(AsRawFd::as_raw_fd);
        Ok(Self {
            program: with_end(command.get_program())?,
            argv: null_terminated(&arguments),
            envp: null_terminated(&environment),
            _strings: [arguments, environment],
            directory: command.get_current_dir().map(|path| with_end(path.as_os_str())).transpose()?,
            streams: [stdin, stdout, stderr],
            host_pipe,
            report,
            failure,
            limits: settings.choose_limits(),
            rules: settings.confined.map(|confined| confined.rules().as_raw_fd()),
            scoped: settings.confined.is_some_and(|confined| confined.scoped),
            keeper: AtomicI32::new(0),
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

    /// Does the work of the keeper. Returns only if the program cannot be started.
    fn keep(&self) -> Errno {
        match self.start_program() {
            Ok((program, scoped, host)) => keeper::keep(program, self.host_pipe, self.report, scoped, host),
            Err(error) => error,
        }
    }

    fn start_program(&self) -> rustix::io::Result<(Pid, bool, Option<Pid>)> {
        setpgid(None, None)?;
        let (host, keeper) = (getppid(), getpid());
        set_child_subreaper(Some(keeper))?;
        let scoped = self.scoped && host.is_some_and(keeper::is_out_of_reach);
        // If the host ignores SIGCHLD, its children leave no exit status.
        raw::set_default_action(libc::SIGCHLD);
        self.keeper.store(keeper.as_raw_pid(), Ordering::Relaxed);
        Ok((start_process(become_program, self.program_stack, self)?, scoped, host))
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
        for (from, to) in self.streams.into_iter().zip(0..) {
            // SAFETY: this process uses no other stream.
            #[expect(unsafe_code, reason = "the program gets these streams")]
            unsafe {
                raw::copy_descriptor(from, to)?;
            }
        }
        if let Some(directory) = &self.directory {
            chdir(directory.as_c_str())?;
        }
        setpgid(None, None)?;
        keeper::end_with(Pid::from_raw(self.keeper.load(Ordering::Relaxed)).ok_or(Errno::PIPE)?)?;
        inherited::mark_all()?;
        limit::apply(&self.limits)?;
        if let Some(rules) = self.rules {
            // SAFETY: the descriptor is open in this process until exec.
            #[expect(unsafe_code, reason = "the owner of the descriptor is in the host")]
            raw::restrict_self(unsafe { BorrowedFd::borrow_raw(rules) })?;
            confine::give_up_capabilities()?;
        }
        // From here on, a signal ends the process.
        raw::reset_signals();
        Ok(())
    }

    /// Reports an error to the host, and ends this process.
    fn fail(&self, error: Errno) -> ! {
        // SAFETY: the descriptor is open in this process.
        #[expect(unsafe_code, reason = "the owner of the descriptor is in the host")]
        let failure = unsafe { BorrowedFd::borrow_raw(self.failure) };
        // It fails only if the host is gone.
        let _ = rustix::io::write(failure, &error.raw_os_error().to_ne_bytes());
        raw::exit(127)
    }
}

extern "C" fn become_keeper(launch: *mut c_void) -> c_int {
    let launch = launched(launch);
    launch.fail(launch.keep())
}

extern "C" fn become_program(launch: *mut c_void) -> c_int {
    let launch = launched(launch);
    launch.fail(launch.exec())
}

fn launched<'a>(launch: *mut c_void) -> &'a Launch {
    // SAFETY: `start_process` got a reference to this value, and the host does not drop it before the program has
    // started and the keeper has closed its copy of `failure`, or both have ended.
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

/// The memory for the stacks of a keeper and of its program before exec, with inaccessible memory below them, and for
/// thread-local memory, which lies below the stack of the program.
///
/// Dropping this does not release the memory, because the keeper may still exist.
#[derive(Debug)]
pub(super) struct Stacks {
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
    pub(super) fn unmap(self) {
        // SAFETY: this value has mapped the memory, and it is consumed.
        #[expect(unsafe_code, reason = "the memory was mapped by a system call")]
        unsafe {
            libc::munmap(ptr::with_exposed_provenance_mut(self.address), Self::SIZE);
        }
    }
}
