//! Runs skills on Restate from a shell: a worker for directories, calls, and runs.

use std::process::ExitCode;

use skills_call::durable::Request;
use skills_call::{CallError, Failure, Runner};
use skills_durable::command::EngineClient;
use skills_restate::{Progress, Remote, Worker};

/// The addresses of Restate and of the worker.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Engine")]
struct Addresses {
    /// The ingress of the server
    #[arg(long, global = true, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    at: String,
    /// The administration of the server [default: port 9070 of the host of `--at`]
    #[arg(long, global = true, value_name = "ADDRESS")]
    admin: Option<String>,
    /// The address on which a worker listens, and at which the server reaches it
    #[arg(long, global = true, value_name = "ADDRESS", default_value = "127.0.0.1:9080")]
    bind: String,
}

struct Restate {
    remote: Remote,
    listen: String,
}

impl EngineClient for Restate {
    async fn serve(&self, runner: Runner, only: Vec<String>) -> Result<(), Failure> {
        let worker = Worker::new(runner);
        let worker = if only.is_empty() { worker } else { worker.only(only) };
        let register = async {
            self.remote.register(&format!("http://{}", self.listen)).await?;
            eprintln!("registered");
            std::future::pending().await
        };
        tokio::select! {
            served = worker.serve(self.listen.parse()?) => served,
            failed = register => failed,
        }
    }

    async fn start(&self, request: Request, key: &str) -> Result<(), Failure> {
        self.remote.start(request, key).await.map(|_| ())
    }

    async fn output(&self, skill: &str, key: &str) -> Result<String, CallError> {
        self.remote.run(skill, key, true).output().await
    }

    async fn progress(&self, skill: &str, key: &str) -> Result<Progress, Failure> {
        self.remote.run(skill, key, true).progress().await
    }

    async fn cancel(&self, skill: &str, key: &str) -> Result<(), Failure> {
        self.remote.run(skill, key, true).cancel().await
    }

    async fn runs(&self, limit: usize) -> Result<Vec<[String; 3]>, Failure> {
        let runs = self.remote.runs(limit).await?;
        Ok(runs.into_iter().map(|run| [run.key, run.skill, run.status]).collect())
    }

    async fn steps(&self, skill: &str, key: &str) -> Result<Vec<String>, Failure> {
        let progress = self.progress(skill, key).await?;
        Ok(progress.steps.iter().map(|(step, state)| format!("  {state}, {step}")).collect())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    skills_durable::command::main("skills-restate", async |Addresses { at, admin, bind }| {
        let host = at.rsplit_once(':').map_or(&*at, |(host, _)| host);
        let admin = admin.unwrap_or_else(|| format!("{host}:9070"));
        Ok(Restate { remote: Remote::new(&at, admin), listen: bind })
    })
    .await
}
