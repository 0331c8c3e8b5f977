//! Linux's table of processes tells which of them a run has left behind; `tree` ends those (SPEC 7.2).

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, kill_process, kill_process_group, pidfd_open, pidfd_send_signal,
};

use super::Reach;
use super::table::{
    Fields, carries, directory, fields, is_alive, is_given, is_own, last_number, listed, stat, threads,
};
use super::watch::leaders;

/// How long nothing may change, once all were killed, before those left are taken for ones that cannot be ended: on a
/// machine under load, a killed process waits for its turn to die.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often the table is looked through at most; a run that still has new processes then starts them faster than they
/// can be ended.
const ROUNDS: u32 = 1_000;

/// How many looks must find nothing, where there was something to end.
const LOOKS: u32 = 3;

/// The time between them, in which a process that could not be seen has had a turn.
const BETWEEN: Duration = Duration::from_millis(10);

/// By what the processes of one run are known.
#[derive(Clone, Debug)]
pub(super) struct Hunt {
    /// The run's id, in the environment of each.
    run_id: String,
    /// The first process: leader of the group, ancestor of the others. Not reaped yet, so the number is its own.
    root: i32,
    /// When it started; its processes are not older.
    since: u64,
    /// Processes once found, by number and start time: they stay known when their parents are gone.
    known: BTreeSet<(i32, u64)>,
}

/// Above this many numbers a listing of the table is cheaper than asking for each: of the numbers given out lately most are
/// free again, and to ask whether one is costs a small part of reading its line.
const FEW: i32 = 1024;

/// How often a look goes on to the numbers that were given out meanwhile.
const CATCHES: u32 = 1_000;

/// How many of the newest numbers are looked at once more when nothing was there.
const NEWEST: usize = 16;

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
        let since = fields(&directory(root)).map_or(0, |fields| fields.start);
        Self { run_id: run_id.to_owned(), root, since, known: BTreeSet::new() }
    }

    /// Finds the living processes that carry the run's id, are in its group, or descend from one that is found;
    /// true when there are any.
    ///
    /// To be called before a signal is sent: a process that left the group and cleared its environment is known
    /// by its parent alone.
    pub(super) fn find(&mut self) -> bool {
        self.look_through(Reach::Everything, false)
    }

    /// Counts the processes that are found, and their threads.
    pub(super) fn count(&mut self) -> u64 {
        self.look_through(Reach::Younger, false);
        self.known.iter().map(|(pid, _)| threads(*pid)).fold(0, u64::saturating_add)
    }

    /// As [`Self::find`]; with `stops` each is stopped as soon as it is seen, so that none has gone on to a new number
    /// when the look is over.
    fn look_through(&mut self, reach: Reach, stops: bool) -> bool {
        let others: HashSet<i32> = leaders().into_iter().filter(|leader| *leader != self.root).collect();
        let mut table = Vec::new();
        let mut next = self.root;
        let last = last_number();
        let are_few = last.is_some_and(|last| (next..next.saturating_add(FEW)).contains(&last));
        if reach == Reach::Everything || !are_few {
            // The listing is made at once, and looked through later.
            table.extend(listed().filter_map(|pid| self.look(pid, stops, &others)));
            next = last.map_or(next, |last| last.saturating_add(1));
        }
        self.catch_up(next, stops, &others, &mut table);
        let mut marked: HashSet<i32> =
            table.iter().filter(|process| process.marked).map(|process| process.pid).collect();
        let mut count = None;
        while count.replace(marked.len()) != Some(marked.len()) {
            for process in &mut table {
                process.marked |= marked.contains(&process.parent);
                if process.marked {
                    marked.insert(process.pid);
                }
            }
        }
        let found = table.iter().filter(|process| process.marked);
        self.known = found.map(|process| (process.pid, process.start)).collect();
        !self.known.is_empty()
    }

    /// Looks at the numbers that are given out while others are looked at: a process may go on to another number faster
    /// than a listing is looked through.
    fn catch_up(&self, mut next: i32, stops: bool, others: &HashSet<i32>, table: &mut Vec<Process>) {
        // A number is given out a moment before its process can be seen.
        let mut unseen: Vec<i32> = Vec::new();
        for _ in 0..CATCHES {
            let Some(last) = last_number().filter(|last| *last >= next) else { break };
            for pid in next..=last {
                match self.look(pid, stops, others) {
                    Some(process) => table.push(process),
                    None => unseen.push(pid),
                }
            }
            next = last.saturating_add(1);
            unseen.drain(..unseen.len().saturating_sub(NEWEST));
        }
        table.extend(unseen.into_iter().filter_map(|pid| self.look(pid, stops, others)));
    }

    /// Ends what is found, again until nothing is; returns the numbers of those that cannot be ended.
    ///
    /// All are stopped before any is killed: what is stopped starts nothing, and is still there to be known as the
    /// parent of what it has started.
    pub(super) fn end(&mut self, reach: Reach) -> Vec<i32> {
        let mut rounds = 0..ROUNDS;
        // A process that is just starting another may be missed by one look, so several must agree.
        let looks = if reach == Reach::Everything { LOOKS } else { 1 };
        let mut left = looks;
        while rounds.next().is_some() {
            self.signal(Signal::STOP);
            if !self.look_through(reach, true) {
                left -= 1;
                if left == 0 {
                    return Vec::new();
                }
                std::thread::sleep(BETWEEN);
                continue;
            }
            left = LOOKS;
            self.stop(reach, &mut rounds);
            self.signal(Signal::KILL);
            // The young first: no parent learns that its child is gone.
            let refused: Vec<i32> =
                self.known.iter().rev().filter_map(|known| kill(*known, Signal::KILL)).collect();
            self.known.retain(|(pid, _)| !refused.contains(pid));
            self.outlast();
            if !self.known.is_empty() || !refused.is_empty() {
                return self.known.iter().map(|(pid, _)| *pid).chain(refused).collect();
            }
        }
        self.known.iter().map(|(pid, _)| *pid).collect()
    }

    /// Stops all that is found, until a look through the table finds nothing new.
    fn stop(&mut self, reach: Reach, rounds: &mut Range<u32>) {
        let mut stopped = BTreeSet::new();
        loop {
            self.signal(Signal::STOP);
            for known in &self.known {
                kill(*known, Signal::STOP);
            }
            if self.known.is_subset(&stopped) || rounds.next().is_none() {
                return;
            }
            stopped.extend(&self.known);
            self.look_through(reach, true);
        }
    }

    /// Sends a signal to the group; fails only when nobody is left in it.
    fn signal(&self, signal: Signal) {
        if let Some(group) = Pid::from_raw(self.root) {
            let _ = kill_process_group(group, signal);
        }
    }

    /// Waits until those that were killed are gone, or nothing changes any more; keeps the ones that are left.
    fn outlast(&mut self) {
        let mut pause = Duration::from_millis(1);
        let mut last = Instant::now();
        loop {
            let count = self.known.len();
            self.known.retain(|known| is_alive(*known));
            if self.known.len() < count {
                last = Instant::now();
            }
            if self.known.is_empty() || last.elapsed() >= PATIENCE {
                return;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Reads one line of the table; nothing for what is gone, a zombie, older than the run, this process itself or a thread
    /// of it, or the leader of another run: with many runs at once nearly all numbers are of these, and reading files for
    /// each takes long.
    fn look(&self, pid: i32, stops: bool, others: &HashSet<i32>) -> Option<Process> {
        if others.contains(&pid) || !is_given(pid) || is_own(pid) {
            return None;
        }
        let (Fields { parent, group, start, .. }, task) = stat(pid)?;
        if start < self.since {
            return None;
        }
        let marked = group == self.root || self.known.contains(&(pid, start)) || carries(&task, &self.run_id);
        if marked && stops {
            kill((pid, start), Signal::STOP);
        }
        Some(Process { pid, parent, start, marked })
    }
}

/// Sends a signal to the process that was found, not to one that got its number since; returns the number of one that
/// may not be sent any.
fn kill(known: (i32, u64), signal: Signal) -> Option<i32> {
    let pid = Pid::from_raw(known.0)?;
    let handle = pidfd_open(pid, PidfdFlags::empty());
    if !is_alive(known) {
        return None;
    }
    let sent = match handle {
        Ok(handle) => pidfd_send_signal(&handle, signal),
        Err(_) => kill_process(pid, signal),
    };
    (sent == Err(Errno::PERM)).then_some(known.0)
}
