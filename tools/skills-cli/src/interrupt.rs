//! Runs work that Ctrl-C or SIGTERM can end early, together with every process that it started. `call`,
//! `exec`, `serve` and `mcp` use it.

use std::future::Future;
use std::io;
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;

use crate::failure;

/// How long the threads of the runtime may take to end after the work has ended.
const PATIENCE: Duration = Duration::from_secs(1);

/// Runs work to its end. Returns `None` if a signal came first.
///
/// The work has its own thread and its own runtime, so a program may call this function from within another
/// runtime. Dropped work kills the processes that it has started. If this process ends and leaves processes
/// behind, the watchdog of each process ends it.
pub(crate) fn run<T: Send>(work: impl Future<Output = T> + Send) -> Result<Option<T>, ExitCode> {
    drive(Builder::new_multi_thread().worker_threads(2), PATIENCE, work)
}

/// Works like `run` on one thread and does not wait for other threads, so a thread may go on reading standard
/// input.
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

/// Returns a future that is ready when the process is asked to end. From now on the signals have no other
/// effect.
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

/// Returns a future that is ready when the process is asked to end.
#[cfg(not(unix))]
fn signals() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without such signals, the system's own way to end a process applies.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
