//! A request to run a skill's program becomes an outcome, and no process outlives it (SPEC 7.1-7.3).
//!
//! ```text
//! Request -> command (environment, interpreter) -> tree (keeper, program) -> pump (pipes) -> Outcome
//! ```
//!
//! One thread owns a process from its start to its end: [`run`] uses the caller's, [`start`] makes one and returns
//! a handle that is a future on any executor. They know no skills: the caller has resolved the program, validated
//! the input and chosen the limit. `prepare` (in `program`) does that for a skill, whoever runs it: [`run_skill`] and
//! [`start_skill`] by the options of this process, `Runner::exec` of `skills-call` by those of a runner, whose
//! [`Executor`] may run programs elsewhere.
//!
//! # What is ended, and when
//!
//! A run ends when its process exits, at its limit, or when its handle is dropped. Whatever it started is ended
//! with it: background processes too, they get half a second to finish their output first.
//!
//! - A keeper, a small process between the host and the program, ends them and waits until none is left. The outcome comes
//!   after that, and says so where it cannot be done: a process that runs as another user cannot be ended.
//! - Linux: the keeper is the parent of all that lose their own, whatever they do to their session or environment.
//! - Elsewhere: it ends the process group of the program only.
//! - When the host itself is killed (`kill -9`), the keeper does the same.
//!
//! The keeper is forked and executes nothing. A host that waits for any child (`waitpid(-1)`) meets it.
//!
//! A program has its three streams; no other descriptor of the host reaches it (SPEC 7.9). [`conceal`] keeps the host's
//! memory and environment from other processes of its user.
//!
//! A host leaves SIGPIPE ignored, as Rust programs do by default: a program that closes its stdin early would end it.
//!
//! Only Unix runs programs; elsewhere every run is refused with exit code 126.

#[cfg(unix)]
pub mod cache;
mod call_id;
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
mod run_id;
mod running;
mod sandbox;
mod skill;
pub mod trace;

pub use crate::run_id::RunId;
pub use call_id::CallId;
pub use conceal::conceal;
pub use confinement::{Confine, Confinement, WorkspaceAccess};
pub use environment::{DEFAULT_NAMES, Environment};
pub use executor::{Execution, Executor, Job, Package, Source};
pub use failure::NotRun;
pub use limits::Limits;
pub use options::ExecOptions;
pub use options::RunOptions;
pub use outcome::Outcome;
pub use processes::Processes;
pub use program::Program;
pub use refusal::Refusal;
pub use request::{Caps, DEFAULT_TIMEOUT, DEFAULT_TIMEOUT_TYPED, Request, choose_timeout};
pub use running::{Running, run, start};
pub use sandbox::{Granted, Sandbox};
pub use skill::{run_skill, start_skill};

#[doc(hidden)]
pub use program::prepare;

#[cfg(unix)]
use process::lack_of_confinement;

/// Says why no program can be confined here.
#[cfg(not(unix))]
fn lack_of_confinement() -> Option<String> {
    Some("no program runs on this system".to_owned())
}
