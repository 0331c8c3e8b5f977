//! A small process between the host and a program becomes the parent of all that the program leaves behind (SPEC 7.10).
//!
//! The host forks it, and it forks the program. It executes nothing itself, and makes system calls only: the memory that
//! it has from the host may be in the middle of a change, and its locks may be held. What it does then is in `reaper`.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::io::fcntl_dupfd_cloexec;
use rustix::process::{Pid, getppid, setpgid};

use super::reaper::Reaper;
use crate::process::inherited;

/// Has the process that `command` forks become the keeper, and the program a child of it. What is set on `command` after
/// this holds for the program alone.
///
/// `scoped` says that processes of this thread can signal nobody but those that they start.
pub(super) fn put_between(command: &mut Command, leash: OwnedFd, report: OwnedFd, scoped: bool) {
    let become_keeper = move || {
        let host = getppid();
        #[cfg(target_os = "linux")]
        let (keeper, scoped) = {
            let keeper = rustix::process::getpid();
            rustix::process::set_child_subreaper(Some(keeper))?;
            (keeper, scoped && host.is_some_and(is_out_of_reach))
        };
        // SAFETY: both processes go on with one thread each, and make system calls only. Children of a host that ignores their
        // exits would leave no status.
        #[expect(unsafe_code, reason = "the standard library forks to start programs only")]
        let forked = unsafe {
            libc::signal(libc::SIGCHLD, libc::SIG_DFL);
            libc::fork()
        };
        match Pid::from_raw(forked) {
            _ if forked < 0 => Err(io::Error::last_os_error()),
            None => {
                setpgid(None, None)?;
                #[cfg(target_os = "linux")]
                end_with(keeper)?;
                Ok(())
            }
            Some(program) => {
                // The program does the same: whichever of the two comes first.
                let _: rustix::io::Result<()> = setpgid(Some(program), Some(program));
                block_signals();
                let (leash, report) = keep_only(&leash, &report);
                Reaper::of(program, report, scoped).keep(leash, host);
                // SAFETY: it ends this process at once.
                #[expect(unsafe_code, reason = "what the host does at its exit is not the keeper's to do")]
                unsafe {
                    libc::_exit(0)
                }
            }
        }
    };
    // SAFETY: between fork and exec it makes system calls and nothing else: it takes no lock and no memory.
    #[expect(unsafe_code, reason = "only between fork and exec is there a process that can stay")]
    unsafe {
        command.pre_exec(become_keeper);
    }
}

/// Returns a pipe whose ends are not where streams are put.
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = io::pipe()?;
    Ok((fcntl_dupfd_cloexec(reader, 3)?, fcntl_dupfd_cloexec(writer, 3)?))
}

/// Returns `true` if this process may not signal the host, which has the same user: the scope holds then. Without it, a
/// signal to all would end every process of the user.
#[cfg(target_os = "linux")]
fn is_out_of_reach(host: Pid) -> bool {
    rustix::process::test_kill_process(host) == Err(rustix::io::Errno::PERM)
}

/// Has the kernel kill this process, the program, when somebody kills the keeper.
#[cfg(target_os = "linux")]
fn end_with(keeper: Pid) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    if getppid() == Some(keeper) { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
}

/// Blocks every signal but SIGKILL and SIGSTOP, so that none meant for the host ends the keeper.
fn block_signals() {
    // SAFETY: the set is filled before it is read; nothing else is written.
    #[expect(unsafe_code, reason = "rustix has no stable call for it")]
    unsafe {
        let mut all = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const all, std::ptr::null_mut());
    }
}

/// Closes all descriptors but two, since the pipes of the program, and those of other runs, end when everybody has closed
/// them. Returns the two, in the places of streams.
fn keep_only(leash: &OwnedFd, report: &OwnedFd) -> (BorrowedFd<'static>, BorrowedFd<'static>) {
    const LEASH: RawFd = 0;
    const REPORT: RawFd = 1;
    // SAFETY: no code of this process uses these numbers but what is called below; the two stay open until it exits.
    #[expect(unsafe_code, reason = "the streams have no owner")]
    unsafe {
        libc::dup2(leash.as_fd().as_raw_fd(), LEASH);
        libc::dup2(report.as_fd().as_raw_fd(), REPORT);
        libc::close(2);
        inherited::close_all();
        (BorrowedFd::borrow_raw(LEASH), BorrowedFd::borrow_raw(REPORT))
    }
}
