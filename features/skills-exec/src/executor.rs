//! The interface of executors, which run jobs: processes of this machine by default.

use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use skills_registry::Resource;

use super::{NotRun, Outcome, Request};

/// A job under way. It may be polled by any executor of futures; dropped, the job is ended.
pub type Execution = Pin<Box<dyn Future<Output = Result<Outcome, NotRun>> + Send>>;

/// Runs the programs of skills; the default of a runner is [`Processes`](super::Processes).
///
/// What comes in was checked: the program is there, the input fits, the limit is one. What goes out is an outcome for
/// whatever became of the job, as [`Outcome::refused`] when it could not be started.
pub trait Executor: Send + Sync + 'static {
    /// Starts a job and returns at once.
    ///
    /// The outcome is due by [`Request::timeout`]: at that limit the job is ended, with exit code 124 and
    /// [`Outcome::timed_out`]. Dropping the future is how a job is cancelled: whatever it started must end then, too.
    ///
    /// An executor that cannot confine as [`Request::sandbox`] says refuses. [`Processes`](super::Processes) tells `tracing`
    /// of its runs; another one does so itself.
    fn start(&self, job: Job) -> Execution;
}

impl<E: Executor + ?Sized> Executor for Arc<E> {
    fn start(&self, job: Job) -> Execution {
        E::start(self, job)
    }
}

/// A program to run, and where its files are.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Job {
    /// Input, limits, environment and confinement. [`Request::directory`] is empty and [`Request::program`] a path below
    /// the files, until an executor has given these a place.
    pub request: Request,
    /// The files of the skill.
    pub files: Source,
}

impl Job {
    /// Creates a job from a request and the files of the skill.
    pub fn new(request: Request, files: Source) -> Self {
        Self { request, files }
    }
}

/// Where the files of a skill are.
#[derive(Clone)]
#[non_exhaustive]
pub enum Source {
    /// On this machine's disk: the program is meant to run there.
    Directory(PathBuf),
    /// In the memory of this process, as part of it.
    Memory(Arc<dyn Package>),
}

/// Files in memory.
pub trait Package: Send + Sync {
    /// Returns the files, sorted by path.
    fn files(&self) -> Vec<Resource<'_>>;
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(path) => f.debug_tuple("Directory").field(path).finish(),
            Self::Memory(_) => f.write_str("Memory"),
        }
    }
}
