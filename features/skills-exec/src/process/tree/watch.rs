//! A small shell outlives this process by a moment: when its pipe closes, because the host ended or was killed,
//! it ends the runs that were under way (SPEC 7.2, 12.2).
//!
//! There is one per host, started with the first run. It reads lines from its stdin, which set its variables: `r3=RUN n=4`
//! before a process is started in slot 3 of four, `g3=GROUP` after, `r3= g3=` when all is over, and `a='7 8'` when the host has adopted the processes 7 and 8. It has a process group of its own, so Ctrl-C in a terminal does
//! not reach it.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::Pid;

use crate::process::inherited;
use crate::run_id::RunId;

/// A run that is being watched, until this is dropped.
#[derive(Debug)]
pub(super) struct Watched {
    slot: usize,
}

impl Watched {
    /// Watches a run that has no process yet.
    pub(super) fn begin(run_id: &RunId) -> io::Result<Self> {
        let mut watch = shared();
        let slot = watch.slots.iter().position(Option::is_none).unwrap_or_else(|| {
            watch.slots.push(None);
            watch.slots.len() - 1
        });
        // Dropped where the shell cannot be told, it leaves the slot again.
        let watched = Self { slot };
        watch.slots[slot] = Some(Run { run_id: run_id.clone(), group: None });
        BUSY.notify_all();
        let count = watch.slots.len();
        let told = watch.tell(&format!("r{slot}={run_id} n={count}\n"));
        drop(watch);
        told.map(|()| watched)
    }

    /// Names the group that the run's first process leads.
    pub(super) fn lead(&mut self, group: Pid) -> io::Result<()> {
        let mut watch = shared();
        if let Some(run) = &mut watch.slots[self.slot] {
            run.group = Some(group);
        }
        watch.tell(&format!("g{}={}\n", self.slot, group.as_raw_pid()))
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let slot = self.slot;
        let mut watch = shared();
        watch.slots[slot] = None;
        if watch.shell.is_some() || watch.slots.iter().any(Option::is_some) {
            // Without a shell there is nobody to tell; the next run starts one or is refused.
            let _ = watch.tell(&format!("r{slot}= g{slot}=\n"));
        }
    }
}

/// Returns the leaders of all runs under way: none was started by another run, and none is reaped yet.
#[cfg(target_os = "linux")]
pub(super) fn leaders() -> Vec<i32> {
    shared().slots.iter().flatten().filter_map(|run| Some(run.group?.as_raw_pid())).collect()
}

/// What is under way.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(super) struct UnderWay {
    /// The leaders of all runs, and the shell.
    pub(super) own: Vec<i32>,
    pub(super) runs: Vec<String>,
}

/// Tells what is under way.
#[cfg(target_os = "linux")]
pub(super) fn under_way() -> UnderWay {
    let watch = shared();
    let runs = watch.slots.iter().flatten();
    let leaders = runs.clone().filter_map(|run| Some(run.group?.as_raw_pid()));
    let shell = watch.shell.as_ref().and_then(|shell| i32::try_from(shell.child.id()).ok());
    UnderWay { own: leaders.chain(shell).collect(), runs: runs.map(|run| run.run_id.to_string()).collect() }
}

/// Tells the shell which processes the host has adopted: it ends them too.
#[cfg(target_os = "linux")]
pub(super) fn adopted(processes: Vec<i32>) {
    let mut watch = shared();
    watch.adopted = processes;
    if watch.shell.is_some() {
        let line = watch.adoptions();
        // Without a shell there is nobody to tell; the next run starts one or is refused.
        let _ = watch.tell(&line);
    }
}

/// Wakes whoever waits for a run.
static BUSY: Condvar = Condvar::new();

/// Waits until a run is under way, or `stopped`.
#[cfg(target_os = "linux")]
pub(super) fn until_busy(stopped: &AtomicBool) {
    let is_idle =
        |watch: &mut Watch| watch.slots.iter().all(Option::is_none) && !stopped.load(Ordering::SeqCst);
    drop(BUSY.wait_while(shared(), is_idle).unwrap_or_else(PoisonError::into_inner));
}

/// Wakes who waits, so that it sees that it is stopped.
#[cfg(target_os = "linux")]
pub(super) fn notify() {
    let _watch = shared();
    BUSY.notify_all();
}

/// The runs under way, and the shell that knows them.
#[derive(Debug)]
struct Watch {
    slots: Vec<Option<Run>>,
    adopted: Vec<i32>,
    shell: Option<Shell>,
}

#[derive(Debug)]
struct Run {
    run_id: RunId,
    group: Option<Pid>,
}

fn shared() -> MutexGuard<'static, Watch> {
    static WATCH: Mutex<Watch> = Mutex::new(Watch { slots: Vec::new(), adopted: Vec::new(), shell: None });
    WATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    fn adoptions(&self) -> String {
        let numbers: Vec<String> = self.adopted.iter().map(i32::to_string).collect();
        format!("a='{}'\n", numbers.join(" "))
    }

    fn tell(&mut self, line: &str) -> io::Result<()> {
        if self.shell.as_mut().is_some_and(|shell| shell.tell(line).is_ok()) {
            return Ok(());
        }
        // None yet, or somebody stopped or killed it: a new one learns of every run.
        self.shell = None;
        let mut shell = Shell::start()?;
        shell.tell(&format!("n={}\n{}", self.slots.len(), self.adoptions()))?;
        for (slot, run) in self.slots.iter().enumerate() {
            let Some(Run { run_id, group }) = run else { continue };
            let group = group.map(|group| group.as_raw_pid().to_string()).unwrap_or_default();
            shell.tell(&format!("r{slot}={run_id} g{slot}={group}\n"))?;
        }
        self.shell = Some(shell);
        Ok(())
    }
}

/// The shell and the pipe whose end it waits for.
#[derive(Debug)]
struct Shell {
    child: Child,
    pipe: File,
}

impl Shell {
    fn start() -> io::Result<Self> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", include_str!("watch.sh"), "skills-watch"]);
        command.env_clear().env("PATH", "/usr/bin:/bin:/run/current-system/sw/bin").current_dir("/");
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        inherited::keep_from(&mut command);
        let mut child = command.spawn()?;
        let pipe = child.stdin.take().map(OwnedFd::from).ok_or(io::ErrorKind::BrokenPipe)?;
        // A shell that was stopped must not stop the host.
        fcntl_setfl(&pipe, fcntl_getfl(&pipe)? | OFlags::NONBLOCK)?;
        Ok(Self { child, pipe: File::from(pipe) })
    }

    fn tell(&mut self, line: &str) -> io::Result<()> {
        self.pipe.write_all(line.as_bytes())
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
