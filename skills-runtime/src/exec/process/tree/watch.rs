//! A small shell outlives this process by a moment: when its pipe closes, because the host ended or was killed,
//! it ends the runs that were under way (SPEC 7.2, 12.2).
//!
//! There is one per host, started with the first run. It reads lines from its stdin, which set its variables: `r3=RUN`
//! before a process is started in slot 3, `g3=GROUP` after, `r3= g3=` when all is over, `n=4` when there are four slots. It
//! has a process group of its own, so Ctrl-C in a terminal does not reach it.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::Pid;

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
        let free = watch.slots.iter().position(Option::is_none);
        let slot = free.unwrap_or_else(|| {
            watch.slots.push(None);
            watch.slots.len() - 1
        });
        // Dropped where the shell cannot be told, it leaves the slot again.
        let watched = Self { slot };
        watch.slots[slot] = Some(Run { run_id: run_id.clone(), group: None });
        let count = watch.slots.len();
        let told = match free {
            Some(_) => watch.tell(&format!("r{slot}={run_id}\n")),
            None => watch.tell(&format!("r{slot}={run_id} n={count}\n")),
        };
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

/// The runs under way, and the shell that knows them.
#[derive(Debug)]
struct Watch {
    slots: Vec<Option<Run>>,
    shell: Option<Shell>,
}

#[derive(Debug)]
struct Run {
    run_id: RunId,
    group: Option<Pid>,
}

fn shared() -> MutexGuard<'static, Watch> {
    static WATCH: Mutex<Watch> = Mutex::new(Watch { slots: Vec::new(), shell: None });
    WATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    fn tell(&mut self, line: &str) -> io::Result<()> {
        if self.shell.as_mut().is_some_and(|shell| shell.tell(line).is_ok()) {
            return Ok(());
        }
        // None yet, or somebody stopped or killed it: a new one learns of every run.
        self.shell = None;
        let mut shell = Shell::start()?;
        shell.tell(&format!("n={}\n", self.slots.len()))?;
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
