//! Rows of Linux's table of processes: number, parent, group, start and environment of each; `hunt` looks through them.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// How long a process may take to become another program, before it is taken for one without an environment.
const LONGEST_CHANGE: Duration = Duration::from_secs(5);

/// The number that was given out last.
pub(super) fn last_number() -> Option<i32> {
    let load = std::fs::read_to_string("/proc/loadavg").ok()?;
    load.split_ascii_whitespace().next_back()?.parse().ok()
}

pub(super) fn listed() -> impl Iterator<Item = i32> {
    std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// Tells whether a number is in use, without a look at the table.
pub(super) fn is_given(number: i32) -> bool {
    Pid::from_raw(number).is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH))
}

/// Tells whether a number is that of this process, or of a thread of it.
pub(super) fn is_own(number: i32) -> bool {
    Path::new(&format!("/proc/self/task/{number}")).exists()
}

/// What the table says of a living process, and the directory of a thread of it that lives.
pub(super) fn stat(pid: i32) -> Option<(Fields, PathBuf)> {
    let process = directory(pid);
    let found = fields(&process)?;
    let task = if found.is_over { other_task(&process)? } else { process };
    Some((found, task))
}

/// Finds a living thread of a process whose first thread has ended: the others go on.
fn other_task(process: &Path) -> Option<PathBuf> {
    let tasks = std::fs::read_dir(process.join("task")).ok()?.filter_map(|task| Some(task.ok()?.path()));
    tasks.into_iter().find(|task| fields(task).is_some_and(|fields| !fields.is_over))
}

/// How many threads a process has.
pub(super) fn threads(pid: i32) -> u64 {
    std::fs::read_dir(directory(pid).join("task")).map_or(0, Iterator::count).try_into().unwrap_or(u64::MAX)
}

pub(super) fn is_alive((pid, found): (i32, u64)) -> bool {
    stat(pid).is_some_and(|(fields, _)| fields.start == found)
}

pub(super) fn directory(pid: i32) -> PathBuf {
    PathBuf::from(format!("/proc/{pid}"))
}

/// What the table says of a process or thread.
pub(super) struct Fields {
    /// Whether it has ended, and its parent has not asked how yet.
    pub(super) is_over: bool,
    pub(super) parent: i32,
    pub(super) group: i32,
    pub(super) start: u64,
    /// Whether its environment is empty. One that is just becoming another program shows none either, neither its old
    /// one nor its new.
    pub(super) is_bare: bool,
}

pub(super) fn fields(task: &Path) -> Option<Fields> {
    let stat = read(task, "stat").ok()?;
    let name_end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(stat.get(name_end + 1..)?).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let [state, parent, group, ..] = fields.as_slice() else { return None };
    Some(Fields {
        is_over: matches!(*state, "Z" | "X"),
        parent: parent.parse().ok()?,
        group: group.parse().ok()?,
        start: fields.get(19)?.parse().ok()?,
        // No memory, as in the kernel's own; or the environment ends where it begins, and that is somewhere.
        is_bare: fields.get(20) == Some(&"0")
            || (fields.get(47) == fields.get(48) && fields.get(48) != Some(&"0")),
    })
}

/// Tells whether the id is in the environment: as the process's own run or as one around it.
pub(super) fn carries(task: &Path, run_id: &str) -> bool {
    let start = Instant::now();
    // Another user's process cannot be read, and cannot be ended either.
    while let Ok(environment) = read(task, "environ") {
        let is_changing = || fields(task).is_some_and(|fields| !fields.is_over && !fields.is_bare);
        if !environment.is_empty() || !is_changing() || start.elapsed() >= LONGEST_CHANGE {
            return environment.windows(run_id.len()).any(|window| window == run_id.as_bytes());
        }
        std::thread::yield_now();
    }
    false
}

/// Reads a file of the table, without asking for its size, which is always 0.
fn read(task: &Path, name: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(4096);
    File::open(task.join(name))?.take(u64::MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}
