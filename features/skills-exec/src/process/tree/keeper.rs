//! The keeper: a small process between the host and a program, which adopts the orphaned processes of the
//! program.
//!
//! The host starts the keeper, and the keeper starts the program. The keeper never calls exec. It makes only
//! system calls: other threads of the host may be changing memory or holding locks. Its main loop is in `reaper`.
//!
//! On Linux the keeper shares the memory of the host (`clone`). This module forks it where that is not possible: then
//! both forks copy the page tables of the host.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::io::fcntl_dupfd_cloexec;
use rustix::process::{Pid, getppid, setpgid};

use super::reaper::Reaper;
use crate::process::inherited;
#[cfg(target_os = "linux")]
use crate::process::raw;

/// Makes `command` fork the keeper, which forks the program as its child. Settings that are added to
/// `command` after this call apply only to the program.
///
/// `scoped` means that processes of this thread can signal only the processes that they start.
pub(super) fn put_between(command: &mut Command, host_pipe: OwnedFd, report: OwnedFd, scoped: bool) {
    let become_keeper = move || {
        let host = getppid();
        #[cfg(target_os = "linux")]
        let (keeper, scoped) = {
            let keeper = rustix::process::getpid();
            rustix::process::set_child_subreaper(Some(keeper))?;
            (keeper, scoped && host.is_some_and(is_out_of_reach))
        };
        // SAFETY: both processes continue with one thread each, and make only system calls. If the host
        // ignores SIGCHLD, its children leave no exit status.
        #[expect(unsafe_code, reason = "the standard library forks only to start programs")]
        let forked = unsafe {
            libc::signal(libc::SIGCHLD, libc::SIG_DFL);
            libc::fork()
        };
        match Pid::from_raw(forked.max(0)) {
            _ if forked < 0 => Err(io::Error::last_os_error()),
            None => {
                setpgid(None, None)?;
                #[cfg(target_os = "linux")]
                end_with(keeper)?;
                Ok(())
            }
            Some(program) => {
                block_signals();
                let pipes = Pipes { host: host_pipe.as_raw_fd(), report: report.as_raw_fd(), starts: None };
                keep(program, pipes, scoped, host)
            }
        }
    };
    // SAFETY: between fork and exec it only makes system calls. It takes no lock and allocates no memory.
    #[expect(unsafe_code, reason = "only a process between fork and exec can become the keeper")]
    unsafe {
        command.pre_exec(become_keeper);
    }
}

/// The descriptors of a keeper.
pub(super) struct Pipes {
    /// The host's commands. It ends when the host ends the run.
    pub(super) host: RawFd,
    /// The reports to the host.
    pub(super) report: RawFd,
    /// See [`Reaper`].
    pub(super) starts: Option<RawFd>,
}

/// Does the work of the keeper in this process, and ends it. All signals must be blocked.
pub(super) fn keep(program: Pid, pipes: Pipes, scoped: bool, host: Option<Pid>) -> ! {
    // The program makes the same call. Either process may be first.
    let _: rustix::io::Result<()> = setpgid(Some(program), Some(program));
    let [host_pipe, report, starts] = keep_only(&pipes);
    let starts = pipes.starts.map(|_| starts);
    Reaper::new(program, report, starts, scoped).keep(host_pipe, host)
}

/// Returns a pipe whose descriptors differ from the ones of the standard streams.
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = io::pipe()?;
    Ok((above_streams(reader.into())?, above_streams(writer.into())?))
}

/// Returns the descriptor, or a copy of it if it has the number of a standard stream.
pub(super) fn above_streams(fd: OwnedFd) -> io::Result<OwnedFd> {
    const FIRST: RawFd = 3;
    if fd.as_raw_fd() >= FIRST { Ok(fd) } else { Ok(fcntl_dupfd_cloexec(fd, FIRST)?) }
}

/// Returns `true` if this process may not signal the host, which has the same user. Then the scope is in
/// effect. Without a scope, a signal to all processes would end every process of the user.
#[cfg(target_os = "linux")]
pub(super) fn is_out_of_reach(host: Pid) -> bool {
    rustix::process::test_kill_process(host) == Err(rustix::io::Errno::PERM)
}

/// Makes the kernel kill this process (the program) if the keeper is killed.
#[cfg(target_os = "linux")]
pub(super) fn end_with(keeper: Pid) -> rustix::io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    if getppid() == Some(keeper) { Ok(()) } else { Err(rustix::io::Errno::PIPE) }
}

/// Blocks every signal except SIGKILL and SIGSTOP, so that a signal for the host does not end the keeper.
fn block_signals() {
    // SAFETY: the set is filled before it is read. Nothing else is written.
    #[expect(unsafe_code, reason = "rustix has no stable call for it")]
    unsafe {
        let mut all = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const all, std::ptr::null_mut());
    }
}

/// Closes all other descriptors. Otherwise pipes of this run and of other runs would stay open: a pipe ends only when all
/// processes have closed it. Returns the pipes, moved to the numbers of standard streams.
fn keep_only(pipes: &Pipes) -> [BorrowedFd<'static>; 3] {
    // SAFETY: only the code below uses these descriptors in this process. The pipes stay open until it exits.
    #[expect(unsafe_code, reason = "no other code of this process uses these descriptors")]
    unsafe {
        copy_descriptor(pipes.host, 0);
        copy_descriptor(pipes.report, 1);
        match pipes.starts {
            Some(starts) => copy_descriptor(starts, 2),
            None => close_descriptor(2),
        }
        inherited::close_all();
        [0, 1, 2].map(|number| BorrowedFd::borrow_raw(number))
    }
}

/// Closes a descriptor that may be closed already.
///
/// # Safety
/// No other code of this process may use the descriptor.
#[expect(unsafe_code, reason = "it closes a descriptor that other code owns")]
unsafe fn close_descriptor(fd: RawFd) {
    // SAFETY: the caller guarantees that the descriptor is not used.
    unsafe {
        #[cfg(target_os = "linux")]
        raw::close(fd);
        #[cfg(not(target_os = "linux"))]
        libc::close(fd);
    }
}

/// Makes descriptor `to` a copy of `from`.
///
/// # Safety
/// No other code of this process may use descriptor `to`.
#[expect(unsafe_code, reason = "it closes a descriptor that other code owns")]
unsafe fn copy_descriptor(from: RawFd, to: RawFd) {
    // SAFETY: the caller guarantees that descriptor `to` is not used. The copy can only fail if `to` is too high.
    unsafe {
        #[cfg(target_os = "linux")]
        let _ = raw::copy_descriptor(from, to);
        #[cfg(not(target_os = "linux"))]
        libc::dup2(from, to);
    }
}
