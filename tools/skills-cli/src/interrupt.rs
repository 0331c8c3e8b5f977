//! Work that Ctrl-C or SIGTERM ends early, and with it all that it started: `call`, `exec`, `serve`
//! and `mcp` run theirs here.

use std::future::Future;
use std::io;
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;

use crate::failure;

/// How long threads of the runtime may take to end once the work has.
const PATIENCE: Duration = Duration::from_secs(1);

/// Runs work to its end; nothing when a signal came first.
///
/// It has a thread and a runtime of its own, so a program may call it from within another runtime, too. Work that is
/// dropped kills the processes it has started; those that this process leaves behind are ended by the watch of each.
pub(crate) fn run<T: Send>(work: impl Future<Output = T> + Send) -> Result<Option<T>, ExitCode> {
    drive(Builder::new_multi_thread().worker_threads(2), PATIENCE, work)
}

/// The same on one thread, and no other is waited for: what reads standard input reads on.
#[cfg(feature = "mcp")]
pub(crate) fn run_alone<T: Send>(work: impl Future<Output = T> + Send) -> Result<Option<T>, ExitCode> {
    drive(&mut Builder::new_current_thread(), Duration::ZERO, work)
}

fn drive<T: Send>(
    builder: &mut Builder,
    patience: Duration,
    work: impl Future<Output = T> + Send,
) -> Result<Option<T>, ExitCode> {
    let drive = || {
        let runtime = builder.enable_all().build()?;
        let done = runtime.block_on(async {
            let signals = signals()?;
            Ok(tokio::select! {
                output = work => Some(output),
                () = signals => None,
            })
        });
        runtime.shutdown_timeout(patience);
        done
    };
    let ran = thread::scope(|scope| scope.spawn(drive).join());
    ran.unwrap_or_else(|panic| resume_unwind(panic)).map_err(|problem: io::Error| failure::error(problem))
}

/// Returns what is ready when the process is asked to end; from now on the signals do nothing else.
#[cfg(unix)]
fn signals() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Returns what is ready when the process is asked to end.
#[cfg(not(unix))]
fn signals() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Where there are no such signals, the process ends in the way of its system.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
