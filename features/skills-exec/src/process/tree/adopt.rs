//! A process that does nothing but run skills becomes the parent of what they leave behind, and ends it (SPEC 7.10).

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, set_child_subreaper, waitid,
};

use super::table::{directory, fields, listed};
use super::watch::{UnderWay, adopted, notify, under_way, until_busy};

/// How often a look is taken while a run is under way: so long can one that was adopted be unknown to the watch.
const TICK: Duration = Duration::from_millis(50);

/// How long the runs, and then what they left, may take to be gone at the end.
const PATIENCE: Duration = Duration::from_millis(800);

/// Held while a child is not known yet, or no longer, as the process of a run: it is nobody's orphan.
static CHANGING: RwLock<()> = RwLock::new(());

/// Keeps a child that is being started or reaped from being taken for an adopted one.
pub(super) fn changing() -> RwLockReadGuard<'static, ()> {
    CHANGING.read().unwrap_or_else(PoisonError::into_inner)
}

fn unchanging() -> RwLockWriteGuard<'static, ()> {
    CHANGING.write().unwrap_or_else(PoisonError::into_inner)
}

/// While it lives, this process adopts what the programs of skills leave behind; dropped, it ends all that is left.
#[derive(Debug)]
#[must_use = "dropped, it ends what was adopted"]
pub struct Adoption {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Orphans>>,
}

/// Has this process adopt what the programs of its skills leave behind: also a process that has called `setsid`, cleared its
/// environment and lost its parents, by which alone it could be found (SPEC 7.10).
///
/// It is for a process that does nothing else, such as a command: until the [`Adoption`] is dropped, every new child that is
/// not the first process of a watched run is taken for such an orphan, and is ended when the runs of its time are over.
///
/// # Errors
/// The kernel does not let this process adopt, or gives no thread.
pub fn adopt() -> io::Result<Adoption> {
    set_child_subreaper(Some(getpid()))?;
    let stop = Arc::new(AtomicBool::new(false));
    let mut orphans = Orphans { older: children(), known: BTreeMap::new() };
    let stopped = Arc::clone(&stop);
    let thread = thread::Builder::new().name("orphans".to_owned()).spawn(move || {
        while !stopped.load(Ordering::SeqCst) {
            if orphans.known.is_empty() {
                until_busy(&stopped);
            }
            orphans.look();
            thread::sleep(TICK);
        }
        orphans
    })?;
    Ok(Adoption { stop, thread: Some(thread) })
}

impl Drop for Adoption {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        notify();
        let orphans = self.thread.take().map(JoinHandle::join);
        if let Some(Ok(mut orphans)) = orphans {
            // Runs that were just dropped are still being ended, by threads of theirs.
            until(|| under_way().runs.is_empty());
            until(|| {
                orphans.look();
                orphans.known.is_empty()
            });
        }
        let _: rustix::io::Result<()> = set_child_subreaper(None);
    }
}

fn until(mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() && start.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(5));
    }
}

/// The children of this process that it has not started as runs.
#[derive(Debug)]
struct Orphans {
    /// Those that were there before.
    older: Vec<i32>,
    /// The others, with the runs that were under way when they were first seen.
    known: BTreeMap<i32, Vec<String>>,
}

impl Orphans {
    /// Takes in who is new, asks for the exit of who has ended, ends those whose runs are over, and tells the watch.
    fn look(&mut self) {
        let before: Vec<i32> = self.known.keys().copied().collect();
        let fixed = unchanging();
        let UnderWay { own, runs } = under_way();
        let strangers = children().into_iter().filter(|pid| !own.contains(pid) && !self.older.contains(pid));
        let mut known = BTreeMap::new();
        for pid in strangers.filter(|pid| !reaped(*pid)) {
            known.insert(pid, self.known.remove(&pid).unwrap_or_else(|| runs.clone()));
        }
        drop(fixed);
        for (pid, seen) in &known {
            // A child that nobody else asks for: its number is its own until it is asked for here.
            if let Some(pid) = Pid::from_raw(*pid).filter(|_| !seen.iter().any(|run| runs.contains(run))) {
                let _: rustix::io::Result<()> = kill_process(pid, Signal::KILL);
            }
        }
        self.known = known;
        if !self.known.keys().eq(&before) {
            adopted(self.known.keys().copied().collect());
        }
    }
}

/// Takes the exit status of a child that has ended.
fn reaped(pid: i32) -> bool {
    let Some(pid) = Pid::from_raw(pid) else { return true };
    !matches!(waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOHANG), Ok(None))
}

/// The children of all threads of this process, those that have ended too.
fn children() -> Vec<i32> {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists: Vec<String> =
        tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok()).collect();
    if !lists.is_empty() {
        let pids = lists.iter().flat_map(|list| list.split_ascii_whitespace());
        return pids.filter_map(|pid| pid.parse().ok()).collect();
    }
    // A kernel without those lists.
    let own = getpid().as_raw_nonzero().get();
    let is_own = |pid: &i32| fields(&directory(*pid)).is_some_and(|fields| fields.parent == own);
    listed().filter(is_own).collect()
}
