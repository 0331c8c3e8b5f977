//! Splits the command into two processes if it is the first process of a container: one serves, and the first
//! reaps the orphans that it adopts.

use std::env::{args_os, current_exe};
use std::io;
use std::process::{Command, ExitCode};

use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, kill_process, wait};
use tokio::signal::unix::{SignalKind, signal};

use skills_commands::failure;

/// Lets another process serve if this is the first process, and returns the exit code of the other process.
pub(crate) fn serve_beside() -> Option<ExitCode> {
    (std::process::id() == 1).then(|| {
        drive()
            .unwrap_or_else(|problem| failure::error(format!("cannot run as the first process: {problem}")))
    })
}

fn drive() -> io::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut ended = signal(SignalKind::child())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let server = Pid::from_child(&Command::new(current_exe()?).args(args_os().skip(1)).spawn()?);
        loop {
            let passed_on = tokio::select! {
                _ = ended.recv() => None,
                _ = interrupt.recv() => Some(Signal::INT),
                _ = terminate.recv() => Some(Signal::TERM),
            };
            if let Some(signal) = passed_on {
                // A server that has ended does not receive the signal.
                let _: rustix::io::Result<()> = kill_process(server, signal);
            }
            while let Some((pid, status)) = wait(WaitOptions::NOHANG)? {
                if pid == server {
                    return Ok(ExitCode::from(code(status)));
                }
            }
        }
    })
}

/// Returns the exit code of a process, or 128 + n if signal n ended it.
fn code(status: WaitStatus) -> u8 {
    let code = status.exit_status().or(status.terminating_signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
}
