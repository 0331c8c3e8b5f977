//! An executor that runs nothing and prints its request.

use std::future::ready;

use serde_json::{Value, json};
use skills_exec::{Execution, Executor, Job, JobFiles, Outcome};

pub(crate) struct Echo;

impl Executor for Echo {
    fn start(&self, job: Job) -> Execution {
        let files: Vec<String> = match &job.files {
            JobFiles::Directory(path) => {
                path.file_name().into_iter().map(|name| name.to_string_lossy().into()).collect()
            }
            JobFiles::Memory(package) => package.files().iter().map(|file| file.path().to_owned()).collect(),
            _ => Vec::new(),
        };
        let input: Value = serde_json::from_str(&job.request.input).unwrap_or_default();
        let ms = u64::try_from(job.request.timeout.as_millis()).unwrap_or(u64::MAX);
        let mut outcome = Outcome::refused(job.request.name, 0, String::new());
        outcome.stdout =
            json!({"program": job.request.program, "input": input, "ms": ms, "files": files}).to_string();
        Box::pin(ready(Ok(outcome)))
    }
}
