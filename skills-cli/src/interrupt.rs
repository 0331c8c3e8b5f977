//! Work that Ctrl-C or SIGTERM ends early, and with it all that it started: `call`, `exec` and
//! `serve` run theirs here.

use std::future::Future;
use std::io;
use std::panic::resume_unwind;
use std::thread;
use std::time::Duration;

/// How long threads of the runtime may take to end once the work has.
const PATIENCE: Duration = Duration::from_secs(1);

/// Runs work to its end; nothing when a signal came first.
///
/// It has a thread and a runtime of its own, so a program may call it from within another runtime, too. Work that is
/// dropped kills the processes it has started; those that this process leaves behind are ended by the watch of each.
///
/// # Errors
/// The system gives no threads, or does not tell of signals.
pub(crate) fn run<T: Send>(work: impl Future<Output = T> + Send) -> Result<Option<T>, String> {
    let ran = thread::scope(|scope| scope.spawn(|| drive(work)).join());
    ran.unwrap_or_else(|panic| resume_unwind(panic)).map_err(|error| format!("error: {error}"))
}

fn drive<T>(work: impl Future<Output = T>) -> io::Result<Option<T>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let done = runtime.block_on(async {
        let signals = signals()?;
        Ok(tokio::select! {
            output = work => Some(output),
            () = signals => None,
        })
    });
    runtime.shutdown_timeout(PATIENCE);
    done
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
