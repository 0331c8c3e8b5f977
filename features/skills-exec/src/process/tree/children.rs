//! Lists the child processes on Linux. The keeper reads the list without allocating memory; the host counts
//! processes.

use std::os::fd::OwnedFd;

use rustix::process::Pid;

/// The children of this process, which has one thread.
pub(super) struct Children {
    list: Option<OwnedFd>,
    buffer: [u8; 16 * 1024],
    length: usize,
}

impl Children {
    /// Opens the list.
    pub(super) fn of_this() -> Self {
        Self { list: open(), buffer: [0; 16 * 1024], length: 0 }
    }

    /// Reads the list again, as far as it fits the buffer. Returns `false` if this system has no list.
    pub(super) fn read(&mut self) -> bool {
        self.length = 0;
        let Some(list) = &self.list else { return false };
        let _ = rustix::fs::seek(list, rustix::fs::SeekFrom::Start(0));
        loop {
            let free = self.buffer.get_mut(self.length..).unwrap_or_default();
            match rustix::io::read(list, free) {
                Ok(count) if count > 0 => self.length += count,
                _ => return true,
            }
        }
    }

    /// Returns the children that were read. Skips a last number without a trailing space, which may be cut
    /// off.
    pub(super) fn iter(&self) -> impl Iterator<Item = Pid> {
        let read = self.buffer.get(..self.length).unwrap_or_default();
        let whole = read.iter().rposition(|byte| *byte == b' ').unwrap_or(0);
        let texts = read.get(..whole).unwrap_or_default().split(|byte| *byte == b' ');
        texts.filter_map(|text| Pid::from_raw(std::str::from_utf8(text).ok()?.parse().ok()?))
    }
}

/// Opens the list. Returns `None` in a namespace of processes with the `/proc` of another namespace, where the numbers of the
/// list name other processes.
#[cfg(target_os = "linux")]
fn open() -> Option<OwnedFd> {
    use rustix::fs::{CWD, Mode, OFlags, readlinkat_raw};
    let mut name = [0; 16];
    let length = readlinkat_raw(CWD, c"/proc/self", &mut name[..]).ok()?;
    let name = std::str::from_utf8(name.get(..length)?).ok()?;
    if name.parse() != Ok(rustix::process::getpid().as_raw_pid()) {
        return None;
    }
    rustix::fs::open(c"/proc/thread-self/children", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn open() -> Option<OwnedFd> {
    None
}

/// Returns `true` if this process can count the processes of a run.
pub(crate) fn can_count() -> bool {
    // The `/proc` of another namespace has other numbers for the same processes.
    cfg!(target_os = "linux")
        && std::fs::read_link("/proc/self")
            .is_ok_and(|name| name.as_os_str() == std::process::id().to_string().as_str())
}

/// Counts the descendants of a process, and their threads.
#[cfg(target_os = "linux")]
pub(super) fn descendants(of: Pid) -> u64 {
    let mut count = 0_u64;
    let mut parents = vec![of.as_raw_pid()];
    while let Some(parent) = parents.pop() {
        let tasks = std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
        for task in tasks {
            count += u64::from(parent != of.as_raw_pid());
            let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            parents.extend(children.split_ascii_whitespace().filter_map(|child| child.parse::<i32>().ok()));
        }
    }
    count
}

/// Returns 0, because this system does not list child processes.
#[cfg(not(target_os = "linux"))]
pub(super) fn descendants(_: Pid) -> u64 {
    0
}
