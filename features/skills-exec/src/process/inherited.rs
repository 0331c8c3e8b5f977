//! Keeps the open descriptors of this process from started programs, which get only their three streams.

use std::ffi::c_uint;
use std::io;
use std::os::fd::{BorrowedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

use rustix::io::{FdFlags, fcntl_setfd};

#[cfg(target_os = "linux")]
use super::raw;

/// The first descriptor after the three streams.
const FIRST: c_uint = 3;

/// Makes `command` start its program without any descriptor above its streams. This includes inherited
/// descriptors of this process that are not marked close-on-exec.
pub(super) fn keep_from(command: &mut Command) {
    let listed = if marks_ranges() { Vec::new() } else { listed() };
    let mark = move || if listed.is_empty() { Ok(mark_all()?) } else { mark_each(&listed) };
    // SAFETY: between fork and exec, `mark` only makes system calls on numbers. It takes no lock and
    // allocates no memory.
    #[expect(
        unsafe_code,
        reason = "between fork and exec, descriptors can be closed for the program without closing them in this process"
    )]
    unsafe {
        command.pre_exec(mark);
    }
}

/// Closes every descriptor above the streams, with system calls only.
///
/// # Safety
/// No code in this process may use these descriptors any more.
#[expect(unsafe_code, reason = "it closes descriptors that other code owns")]
pub(super) unsafe fn close_all() {
    #[cfg(target_os = "linux")]
    // SAFETY: the caller guarantees that the descriptors are unused.
    if unsafe { raw::close_range(FIRST) }.is_ok() {
        return;
    }
    /// An upper bound for descriptors on a system without the call. The default limit of such systems is
    /// lower.
    const MAX_DESCRIPTOR: RawFd = 65_536;
    let first = RawFd::try_from(FIRST).unwrap_or(0);
    for fd in first..MAX_DESCRIPTOR {
        // SAFETY: the caller guarantees that the descriptors are unused. Most are closed already, which is harmless.
        unsafe { libc::close(fd) };
    }
}

/// Marks every descriptor above the streams as close-on-exec. The process needs some of them until exec.
#[cfg(target_os = "linux")]
pub(super) fn mark_all() -> rustix::io::Result<()> {
    raw::mark_range(FIRST)
}

#[cfg(not(target_os = "linux"))]
fn mark_all() -> rustix::io::Result<()> {
    Err(rustix::io::Errno::NOSYS)
}

/// Returns `true` if the kernel supports the call (Linux 5.11), tested with a call that marks nothing.
#[cfg(target_os = "linux")]
pub(super) fn marks_ranges() -> bool {
    static MARKS: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *MARKS.get_or_init(|| raw::mark_range(c_uint::MAX).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn marks_ranges() -> bool {
    false
}

/// Lists the open descriptors, if the system can list them. Other threads mark the descriptors that they open
/// meanwhile.
fn listed() -> Vec<RawFd> {
    let directory = std::fs::read_dir("/proc/self/fd").or_else(|_| std::fs::read_dir("/dev/fd"));
    let names =
        directory.into_iter().flatten().filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names
        .filter_map(|name| name.parse().ok())
        .filter(|fd| u32::try_from(*fd).is_ok_and(|fd| fd >= FIRST))
        .collect()
}

fn mark_each(listed: &[RawFd]) -> io::Result<()> {
    for fd in listed {
        // SAFETY: it is used only in this call. The kernel rejects a number that is closed by now, which is
        // harmless.
        #[expect(unsafe_code, reason = "only the numbers of the descriptors are known")]
        let fd = unsafe { BorrowedFd::borrow_raw(*fd) };
        let _: rustix::io::Result<()> = fcntl_setfd(fd, FdFlags::CLOEXEC);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    // SPEC 7.9: descriptors are marked even if the kernel cannot mark a range of them
    #[test]
    fn every_listed_descriptor_is_marked() {
        let file = std::fs::File::open("/dev/null").expect("there");
        // A duplicate that is not marked. It has its own number.
        let copy = rustix::io::dup(&file).expect("another");
        let numbers = listed();
        assert!(numbers.contains(&std::os::fd::AsRawFd::as_raw_fd(&copy)), "{numbers:?}");
        mark_each(&numbers).expect("marked");
        assert!(rustix::io::fcntl_getfd(&copy).expect("open").contains(FdFlags::CLOEXEC));
        let mut command = Command::new("/bin/true");
        keep_from(&mut command);
        assert!(command.status().expect("started").success());
    }
}
