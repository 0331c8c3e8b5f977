//! Runs the programs of skills as processes, and ends all processes of a run before it returns the outcome.
//!
//! ```text
//! Request -> command (environment, interpreter) -> tree (keeper, program) -> pump (pipes) -> Outcome
//! ```
//!
//! One thread owns a process from its start to its end. [`run`] uses the thread of the caller. [`start`]
//! creates a thread and returns a handle, a future for any executor. Both take a [`Request`] and do not know
//! skills: the caller resolves the program, validates the input and chooses the time limit. `prepare` (in
//! `program`) does this for a skill. [`run_skill`] and [`start_skill`] use it with the options of this
//! process. `Runner::exec` of `skills-call` uses it with the options of a runner, whose [`Executor`] may run
//! programs elsewhere.
//!
//! # How a run ends
//!
//! A run ends when its process exits, when the time limit is reached, or when the handle is dropped. All
//! processes that it started end with it. Background processes get half a second to finish their output
//! first.
//!
//! - The keeper, a small process between the host and the program, kills these processes and waits until all
//!   are gone. Then the outcome is returned. It lists processes that the keeper cannot kill because they
//!   run as another user.
//! - On Linux, the keeper becomes the parent of all orphaned processes, even if they change their session or
//!   environment.
//! - On other systems, the keeper ends only the process group of the program.
//! - If the host itself is killed (`kill -9`), the keeper ends the run in the same way.
//!
//! The keeper is a child of the host and never calls exec. On Linux it shares the memory of the host, so nothing is
//! copied. A host that waits for any child (`waitpid(-1)`) can reap it.
//!
//! A program gets only its three standard streams and no other descriptor of the host. [`conceal`] protects
//! the memory and the environment of the host from other processes of the same user.
//!
//! A host must leave SIGPIPE ignored, which is the default of Rust programs. Otherwise a program that closes
//! its stdin early would end the host.
//!
//! Programs run only on Unix. On other systems every run is refused with exit code 126.

mod budget;
#[cfg(unix)]
pub mod cache;
mod call_id;
mod companion;
mod conceal;
mod confinement;
mod environment;
mod executor;
mod failure;
mod limits;
mod options;
mod outcome;
mod place;
#[cfg(unix)]
mod process;
mod processes;
mod program;
mod refusal;
mod request;
mod running;
mod sandbox;
pub mod trace;

pub use budget::{Budget, Exhausted, Meter};
pub use call_id::CallId;
pub use companion::Companion;
pub use conceal::conceal;
pub use confinement::{Confine, Confinement, WorkspaceAccess};
pub use environment::{DEFAULT_NAMES, Environment};
pub use executor::{CheckedCopy, Execution, Executor, Job, JobFiles, Package};
pub use failure::NotRun;
pub use limits::{LimitError, Limits};
pub use options::ExecOptions;
pub use options::RunOptions;
pub use outcome::Outcome;
pub use processes::Processes;
pub use program::{Program, run_skill, start_skill};
pub use refusal::Refusal;
pub use request::{Caps, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT_TYPED, Request, RunId, StderrLog, choose_timeout};
pub use running::{Running, run, start, wait_for_runs};
pub use sandbox::{Granted, Sandbox};

#[doc(hidden)]
pub use program::prepare;

#[cfg(unix)]
use process::confinement_unavailable;

/// Returns the reason why this system cannot confine programs.
#[cfg(not(unix))]
fn confinement_unavailable() -> Option<String> {
    Some("no program runs on this system".to_owned())
}
