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
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// How long the runs that the work has started may take to end: their processes are killed, and their
/// directories for temporary files are removed. If a run takes longer, its keeper continues without this
/// process.
const RUNS: Duration = Duration::from_secs(10);

/// The same for a server, which must end within 2 s.
const RUNS_OF_SERVER: Duration = Duration::from_millis(500);

/// The signal that ended work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    Interrupt,
    Terminate,
}

impl Signal {
    /// Returns the exit code of a command that this signal ended: 128 and the number of the signal.
    pub fn code(self) -> ExitCode {
        ExitCode::from(match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
        })
    }

    /// Returns the exit code of a server: a service manager ends it with SIGTERM, which is not a failure.
    pub fn code_of_server(self) -> ExitCode {
        if self == Self::Terminate { ExitCode::SUCCESS } else { self.code() }
    }
}

/// Runs work to its end. Returns the signal if one came first.
///
/// The work has its own thread and its own runtime, so a program may call this function from within another
/// runtime. Dropped work kills the processes that it has started; this function waits until they have ended.
pub fn run<T: Send>(work: impl Future<Output = T> + Send) -> Result<Result<T, Signal>, ExitCode> {
    drive(Builder::new_multi_thread().worker_threads(2), SHUTDOWN_TIMEOUT, RUNS, work)
}

/// Works like `run` for a server.
pub fn run_server<T: Send>(work: impl Future<Output = T> + Send) -> Result<Result<T, Signal>, ExitCode> {
    drive(Builder::new_multi_thread().worker_threads(2), SHUTDOWN_TIMEOUT, RUNS_OF_SERVER, work)
}

/// Works like `run`, for a server on one thread. Does not wait for other threads, because one of them may still be
/// reading standard input.
pub fn run_alone<T: Send>(work: impl Future<Output = T> + Send) -> Result<Result<T, Signal>, ExitCode> {
    drive(&mut Builder::new_current_thread(), Duration::ZERO, RUNS_OF_SERVER, work)
}

fn drive<T: Send>(
    builder: &mut Builder,
    patience: Duration,
    runs: Duration,
    work: impl Future<Output = T> + Send,
) -> Result<Result<T, Signal>, ExitCode> {
    let ran = thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let runtime = builder.enable_all().build()?;
            let done = runtime.block_on(async {
                let signals = signals()?;
                Ok(tokio::select! {
                    output = work => Ok(output),
                    signal = signals => Err(signal),
                })
            });
            runtime.shutdown_timeout(patience);
            skills_exec::wait_for_runs(runs);
            done
        });
        thread.join()
    });
    ran.unwrap_or_else(|panic| resume_unwind(panic)).map_err(|problem: io::Error| failure::error(problem))
}

/// Returns a future that is ready when the process is asked to end. From now on the signals have no other
/// effect.
#[cfg(unix)]
fn signals() -> io::Result<impl Future<Output = Signal>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => Signal::Interrupt,
            _ = terminate.recv() => Signal::Terminate,
        }
    })
}

/// Returns a future that is ready when the process is asked to end.
#[cfg(not(unix))]
fn signals() -> io::Result<impl Future<Output = Signal>> {
    Ok(async {
        // This system has no such signals, so the process ends in the default way.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Signal::Interrupt
    })
}
