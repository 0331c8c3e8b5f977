//! Runs jobs as local processes. Files that are in memory are first unpacked into the cache.

use std::future::poll_fn;

use super::executor::{Execution, Executor, Job, JobFiles};
use super::place::RunFiles;
use super::running::Running;
#[cfg(unix)]
use crate::cache::Cache;

/// Runs programs as local processes, each on its own thread.
#[derive(Clone, Debug)]
pub struct Processes {
    #[cfg(unix)]
    cache: Cache,
}

#[cfg(unix)]
impl Processes {
    /// Creates an executor that unpacks files in memory into this cache.
    pub fn new(cache: Cache) -> Self {
        Self { cache }
    }
}

#[cfg(not(unix))]
impl Processes {
    /// Creates an executor that refuses every job, because this system cannot run programs.
    pub fn new() -> Self {
        Self {}
    }
}

impl Executor for Processes {
    fn start(&self, job: Job) -> Execution {
        let Job { request, files } = job;
        #[cfg(unix)]
        let cache = self.cache.clone();
        // Comparing and writing files may take a while, so this happens on the thread of the run.
        let running = Running::start(request, move |request| {
            let place = match files {
                JobFiles::Directory(directory) => RunFiles::Own(directory),
                JobFiles::Copy(copy) => RunFiles::Copy(copy),
                #[cfg(unix)]
                JobFiles::Memory(package) => RunFiles::unpack(package.files(), &cache)?,
                #[cfg(not(unix))]
                JobFiles::Memory(_) => RunFiles::Own(std::path::PathBuf::new()),
            };
            place.settle(request);
            Ok(place)
        });
        Box::pin(poll_fn(move |context| running.poll_placed(context)))
    }
}
