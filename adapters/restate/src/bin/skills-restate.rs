//! Runs skills on Restate from a shell: a worker for directories, calls, and runs.

use std::process::ExitCode;

use skills_call::durable::Request;
use skills_call::{CallError, Failure, Runner};
use skills_engines::Door;
use skills_restate::{Progress, Remote, Worker};

const USAGE: &str = "\
Usage: skills-restate worker --dir DIR [--skill A,B] [--workspace DIR] [--sandbox auto|require|off]
                      [--resource-limit NAME=VALUE] [--env NAME] [--bind ADDRESS] [--admin ADDRESS]
       skills-restate call NAME [--input JSON|-] [--run-key KEY] [--timeout DUR] [--detach] [--at ADDRESS]
       skills-restate runs [list | show KEY | cancel KEY | attach KEY] [--at ADDRESS] [--admin ADDRESS]

--at is the ingress of the server (127.0.0.1:8080 by default), --admin its administration (port 9070 there), and --bind
where the worker listens and the server finds it (127.0.0.1:9080). `call` and `runs` are about pipelines.";

struct Restate {
    remote: Remote,
    listen: String,
}

impl Door for Restate {
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
    skills_engines::main(USAGE, async |arguments| {
        let at = arguments.at.as_deref().unwrap_or("127.0.0.1:8080");
        let host = at.rsplit_once(':').map_or(at, |(host, _)| host);
        let admin = arguments.admin.clone().unwrap_or_else(|| format!("{host}:9070"));
        let listen = arguments.listen.clone().unwrap_or_else(|| "127.0.0.1:9080".to_owned());
        Ok(Restate { remote: Remote::new(at, admin), listen })
    })
    .await
}
