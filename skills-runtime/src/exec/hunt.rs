//! Linux's table of processes tells which of them a run has left behind; `tree` ends those (SPEC 7.2).

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal, test_kill_process,
};

use super::Reach;
use super::watch::leaders;

/// By what the processes of one run are known.
#[derive(Debug)]
pub(super) struct Hunt {
    /// The run's id, in the environment of each.
    run_id: String,
    /// The first process: leader of the group, ancestor of the others. Not reaped yet, so the number is its own.
    root: i32,
    /// When it started, in ticks: what is older belongs to no run of it.
    start: u64,
    /// Processes once found, by number and start time: they stay known when their parents are gone.
    known: Vec<(i32, u64)>,
}

/// Above this many numbers a listing of the table is cheaper than asking for each. Asking whether there is such a process
/// costs a small part of reading its line, and of the numbers given out lately most are free again.
const FEW: i32 = 1024;

#[derive(Debug)]
struct Process {
    pid: i32,
    parent: i32,
    start: u64,
    marked: bool,
}

impl Hunt {
    pub(super) fn of(run_id: &str, root: Pid) -> Self {
        let root = root.as_raw_pid();
        let start = line(root).map_or(0, |line| line.start);
        Self { run_id: run_id.to_owned(), root, start, known: Vec::new() }
    }

    /// Finds the living processes that carry the run's id, are in its group, or descend from one that is found;
    /// true when there are any.
    ///
    /// To be called before a signal is sent: a process that left the group and cleared its environment is known
    /// by its parent alone.
    pub(super) fn find(&mut self, reach: Reach) -> bool {
        let others: HashSet<i32> = leaders().into_iter().filter(|leader| *leader != self.root).collect();
        let mut table: Vec<Process> = match numbers(self.root, reach) {
            Some(range) => range.filter_map(|pid| self.look(pid, &others)).collect(),
            None => listed().filter_map(|pid| self.look(pid, &others)).collect(),
        };
        let mut grown = true;
        while grown {
            grown = false;
            for at in 0..table.len() {
                let parent = table[at].parent;
                if !table[at].marked && table.iter().any(|other| other.marked && other.pid == parent) {
                    table[at].marked = true;
                    grown = true;
                }
            }
        }
        self.known = table
            .iter()
            .filter(|process| process.marked)
            .map(|process| (process.pid, process.start))
            .collect();
        !self.known.is_empty()
    }

    /// Kills what is found, again until nothing is or the time is over; returns the numbers of those left.
    pub(super) fn end(&mut self, reach: Reach, limit: Duration) -> Vec<i32> {
        let deadline = Instant::now() + limit;
        let mut pause = Duration::from_millis(1);
        loop {
            let found = self.find(reach);
            self.known.iter().for_each(|(pid, start)| kill(*pid, *start));
            if !found || Instant::now() >= deadline {
                return self.known.iter().map(|(pid, _)| *pid).collect();
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Reads one line of the table; nothing for what is gone, a zombie, this process itself or a thread of it, or the leader
    /// of another run: with many runs at once nearly all numbers are of these, and reading a file for each takes long.
    fn look(&self, pid: i32, others: &HashSet<i32>) -> Option<Process> {
        if others.contains(&pid) {
            return None;
        }
        let is_gone = Pid::from_raw(pid).is_none_or(|pid| test_kill_process(pid) == Err(Errno::SRCH));
        if is_gone || Path::new(&format!("/proc/self/task/{pid}")).exists() {
            return None;
        }
        let Line { parent, group, start, .. } =
            line(pid).filter(|line| line.is_alive && line.start >= self.start)?;
        let marked = group == self.root || self.known.contains(&(pid, start)) || carries(pid, &self.run_id);
        Some(Process { pid, parent, start, marked })
    }
}

/// The numbers given out since the root's, when they are few and have not wrapped around.
fn numbers(root: i32, reach: Reach) -> Option<RangeInclusive<i32>> {
    if reach == Reach::Everything {
        return None;
    }
    let load = std::fs::read_to_string("/proc/loadavg").ok()?;
    let last: i32 = load.split_ascii_whitespace().next_back()?.parse().ok()?;
    (root..root.saturating_add(FEW)).contains(&last).then_some(root..=last)
}

fn listed() -> impl Iterator<Item = i32> {
    std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

/// A line of the table.
struct Line {
    is_alive: bool,
    parent: i32,
    group: i32,
    start: u64,
}

fn line(pid: i32) -> Option<Line> {
    let stat = read(pid, "stat").ok()?;
    let name_end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(stat.get(name_end + 1..)?).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let [state, parent, group, ..] = fields.as_slice() else { return None };
    Some(Line {
        is_alive: !matches!(*state, "Z" | "X"),
        parent: parent.parse().ok()?,
        group: group.parse().ok()?,
        start: fields.get(19)?.parse().ok()?,
    })
}

/// Tells whether the id is in the environment: as the process's own run or as one around it.
fn carries(pid: i32, run_id: &str) -> bool {
    // Another user's process cannot be read, and cannot be ended either.
    read(pid, "environ")
        .is_ok_and(|environment| environment.windows(run_id.len()).any(|window| window == run_id.as_bytes()))
}

/// Reads a file of the table, without asking for its size, which is always 0.
fn read(pid: i32, name: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(4096);
    File::open(format!("/proc/{pid}/{name}"))?.take(u64::MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Kills the process that was found, not one that got its number since.
fn kill(number: i32, found: u64) {
    let Some(pid) = Pid::from_raw(number) else { return };
    let handle = pidfd_open(pid, PidfdFlags::empty());
    if line(number).is_none_or(|line| !line.is_alive || line.start != found) {
        return;
    }
    // What cannot be signalled is found again by the next look, and reported.
    let _ = match handle {
        Ok(handle) => pidfd_send_signal(&handle, Signal::KILL),
        Err(_) => kill_process(pid, Signal::KILL),
    };
}
