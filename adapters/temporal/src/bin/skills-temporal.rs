//! Runs skills on Temporal from a shell: a worker for directories, calls, and runs.

use std::process::ExitCode;

use skills_call::durable::Request;
use skills_call::{CallError, Failure, Runner};
use skills_durable::command::EngineClient;
use skills_temporal::{Progress, Remote, StepAttempt, Worker};

/// The address of Temporal.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Engine")]
struct Addresses {
    /// The address of the server
    #[arg(long, global = true, value_name = "ADDRESS", default_value = "127.0.0.1:7233")]
    at: String,
}

struct Temporal(Remote);

impl EngineClient for Temporal {
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
        let line = |step: &StepAttempt| match step.duration() {
            Some(duration) => format!("  {} {:.3} s, {}", step.state, duration.as_secs_f64(), step.place),
            None => format!("  {}, {}", step.state, step.place),
        };
        Ok(self.0.run(skill, key).steps().await?.iter().map(line).collect())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    skills_durable::command::main("skills-temporal", async |Addresses { at }| {
        let remote = Remote::connect(&at).await.map_err(|why| format!("{at}: {why}"))?;
        Ok(Temporal(remote))
    })
    .await
}
