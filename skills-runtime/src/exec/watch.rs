//! A small shell outlives this process by a moment: when its pipe closes, because the host ended or was killed,
//! it ends the runs that were under way (SPEC 7.2, 12.2).
//!
//! There is one per host, started with the first run. It reads lines from its stdin: `+ RUN` before a process is
//! started, `+ RUN GROUP` after, `- RUN` when all is over. It has a process group of its own, so Ctrl-C in a
//! terminal does not reach it.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::Pid;

use super::RunId;

/// A run that is being watched, until this is dropped.
#[derive(Debug)]
pub(super) struct Watched {
    run_id: RunId,
}

impl Watched {
    /// Watches a run that has no process yet.
    pub(super) fn begin(run_id: &RunId) -> io::Result<Self> {
        let watched = Self { run_id: run_id.clone() };
        shared().set(run_id, None)?;
        Ok(watched)
    }

    /// Names the group that the run's first process leads.
    pub(super) fn lead(&mut self, group: Pid) -> io::Result<()> {
        shared().set(&self.run_id, Some(group))
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // Without a shell there is nobody to tell; the next run starts one or is refused.
        let _ = shared().forget(&self.run_id);
    }
}

/// The runs under way, and the shell that knows them.
#[derive(Debug)]
struct Watch {
    runs: Vec<(RunId, Option<Pid>)>,
    shell: Option<Shell>,
}

fn shared() -> MutexGuard<'static, Watch> {
    static WATCH: Mutex<Watch> = Mutex::new(Watch { runs: Vec::new(), shell: None });
    WATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    fn set(&mut self, run_id: &RunId, group: Option<Pid>) -> io::Result<()> {
        self.runs.retain(|(known, _)| known != run_id);
        self.runs.push((run_id.clone(), group));
        self.tell(&line(run_id, group))
    }

    fn forget(&mut self, run_id: &RunId) -> io::Result<()> {
        self.runs.retain(|(known, _)| known != run_id);
        if self.shell.is_none() && self.runs.is_empty() {
            return Ok(());
        }
        self.tell(&format!("- {run_id}\n"))
    }

    fn tell(&mut self, line: &str) -> io::Result<()> {
        if self.shell.as_mut().is_some_and(|shell| shell.tell(line).is_ok()) {
            return Ok(());
        }
        // None yet, or somebody stopped or killed it: a new one learns of every run.
        self.shell = None;
        let mut shell = Shell::start()?;
        for (run_id, group) in &self.runs {
            shell.tell(&self::line(run_id, *group))?;
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

fn line(run_id: &RunId, group: Option<Pid>) -> String {
    match group {
        Some(group) => format!("+ {run_id} {}\n", group.as_raw_pid()),
        None => format!("+ {run_id}\n"),
    }
}
