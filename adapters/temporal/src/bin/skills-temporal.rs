//! Runs skills on Temporal from a shell: a worker for directories, calls, and runs.

use std::process::ExitCode;

use skills_call::durable::Request;
use skills_call::{CallError, Failure, Runner};
use skills_engines::Door;
use skills_temporal::{Progress, Remote, Step, Worker};

const USAGE: &str = "\
Usage: skills-temporal worker --dir DIR [--skill A,B] [--workspace DIR] [--sandbox auto|require|off]
                       [--resource-limit NAME=VALUE] [--env NAME] [--at ADDRESS]
       skills-temporal call NAME [--input JSON|-] [--run-key KEY] [--timeout DUR] [--detach] [--at ADDRESS]
       skills-temporal runs [list | show KEY | cancel KEY | attach KEY] [--at ADDRESS]

ADDRESS is that of the server: 127.0.0.1:7233 by default.";

struct Temporal(Remote);

impl Door for Temporal {
    async fn serve(&self, runner: Runner, only: Vec<String>) -> Result<(), Failure> {
        // The serving future is not `Send`, so it stays on its thread.
        let client = self.0.client();
        let serve = move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
            let worker = Worker::new(runner);
            let worker = if only.is_empty() { worker } else { worker.only(only) };
            runtime.block_on(worker.serve(client))
        };
        tokio::task::spawn_blocking(serve).await?
    }

    async fn start(&self, request: Request, key: &str) -> Result<(), Failure> {
        self.0.start(request, key).await.map(|_| ())
    }

    async fn output(&self, skill: &str, key: &str) -> Result<String, CallError> {
        self.0.run(skill, key).output().await
    }

    async fn progress(&self, skill: &str, key: &str) -> Result<Progress, Failure> {
        self.0.run(skill, key).progress().await
    }

    async fn cancel(&self, skill: &str, key: &str) -> Result<(), Failure> {
        self.0.run(skill, key).cancel().await
    }

    async fn runs(&self, limit: usize) -> Result<Vec<[String; 3]>, Failure> {
        let runs = self.0.runs(limit).await?;
        Ok(runs.into_iter().map(|run| [run.key, run.skill, run.status]).collect())
    }

    async fn steps(&self, skill: &str, key: &str) -> Result<Vec<String>, Failure> {
        let line = |step: &Step| match step.duration() {
            Some(duration) => format!("  {} {:.3} s, {}", step.state, duration.as_secs_f64(), step.place),
            None => format!("  {}, {}", step.state, step.place),
        };
        Ok(self.0.run(skill, key).steps().await?.iter().map(line).collect())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    skills_engines::main(USAGE, async |arguments| {
        let address = arguments.at.as_deref().unwrap_or("127.0.0.1:7233");
        let remote = Remote::connect(address).await.map_err(|why| format!("{address}: {why}"))?;
        Ok(Temporal(remote))
    })
    .await
}
