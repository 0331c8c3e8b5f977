//! The trait for running jobs. The default implementation runs local processes (`processes`); a host can
//! replace it.

use std::fmt;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;

#[cfg(unix)]
use skills_files::ScratchDir;
use skills_registry::Resource;

use super::{NotRun, Outcome, Request};

/// A job in progress. Any async executor can poll it. Dropping it ends the job.
pub type Execution = Pin<Box<dyn Future<Output = Result<Outcome, NotRun>> + Send>>;

/// Runs the programs of skills; the default of a runner is [`Processes`](super::Processes).
///
/// A job is already checked: the program exists, the input matches the schema, and the time limit is valid.
/// The result is always an outcome, for example [`Outcome::refused`] if the job could not be started.
pub trait Executor: Send + Sync + 'static {
    /// Starts a job and returns at once.
    ///
    /// At [`Request::timeout`], the executor ends the job with exit code 124 and [`Outcome::timed_out`].
    /// Dropping the future cancels the job: all processes it started must end then, too.
    ///
    /// An executor that cannot enforce [`Request::sandbox`] must refuse the job.
    /// [`Processes`](super::Processes) emits a tracing event for each run; other executors must emit their
    /// own.
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
    /// Input, limits, environment and confinement. Until an executor has placed the files,
    /// [`Request::directory`] is empty and [`Request::program`] is a path relative to the files.
    pub request: Request,
    /// The files of the skill.
    pub files: JobFiles,
}

impl Job {
    /// Creates a job from a request and the files of the skill.
    pub fn new(request: Request, files: JobFiles) -> Self {
        Self { request, files }
    }
}

/// The location of the files of a skill.
#[derive(Clone)]
#[non_exhaustive]
pub enum JobFiles {
    /// On the disk of this machine, where the program should run.
    Directory(PathBuf),
    /// In a private copy of files that are trusted or signed. The executor keeps it until the job has ended.
    Copy(Arc<CheckedCopy>),
    /// In the memory of this process, compiled into it.
    Memory(Arc<dyn Package>),
}

/// Files in memory.
pub trait Package: Send + Sync {
    /// Returns the files, sorted by path.
    fn files(&self) -> Vec<Resource<'_>>;
}

impl fmt::Debug for JobFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(path) => f.debug_tuple("Directory").field(path).finish(),
            Self::Copy(copy) => f.debug_tuple("Copy").field(&copy.directory()).finish(),
            Self::Memory(_) => f.write_str("Memory"),
        }
    }
}

/// A private copy of the files of a skill, made while their digests were checked. The program runs from it, so
/// nobody can exchange a file between the check and the start.
///
/// Keep this value while the program runs: dropping it removes the copy.
#[derive(Debug)]
pub struct CheckedCopy {
    directory: PathBuf,
    #[cfg(unix)]
    _scratch: ScratchDir,
}

impl CheckedCopy {
    /// Creates a copy from the directory of the skill and the temporary directory that contains it.
    #[cfg(unix)]
    pub fn new(directory: PathBuf, scratch: ScratchDir) -> Self {
        Self { directory, _scratch: scratch }
    }

    /// Returns the directory of the skill in the copy.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}
