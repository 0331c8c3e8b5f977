//! Skills on Temporal from a shell: a worker of directories, calls, and runs.

use std::process::ExitCode;

use skills_engines::{Arguments, Door};
use skills_runtime::call::durable::Request;
use skills_runtime::call::{BoxFuture, CallError, Failure, Runner};
use skills_temporal::{Progress, Remote, Worker};

const USAGE: &str = "\
Usage: skills-temporal worker --dir DIR [--only A,B] [--workspace DIR] [--sandbox auto|require|off]
                       [--limit NAME=VALUE] [--env NAME] [--at ADDRESS]
       skills-temporal call NAME [--input JSON|-] [--key KEY] [--timeout DUR] [--detach] [--at ADDRESS]
       skills-temporal runs [list | show KEY | cancel KEY | attach KEY] [--at ADDRESS]

ADDRESS is that of the server: 127.0.0.1:7233 by default.";

struct Temporal(Remote);

impl Door for Temporal {
    fn serve<'a>(&'a self, runner: Runner, only: Vec<String>) -> BoxFuture<'a, Result<(), Failure>> {
        // What serves stays on the thread that it began on.
        let client = self.0.client();
        Box::pin(async move {
            let mut worker = Worker::new(runner);
            if !only.is_empty() {
                worker = worker.only(only);
            }
            let serve = move || {
                let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
                runtime.block_on(worker.serve(client))
            };
            tokio::task::spawn_blocking(serve).await?
        })
    }

    fn start<'a>(&'a self, request: Request, key: &'a str) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move { self.0.start(request, key).await.map(|_| ()) })
    }

    fn output<'a>(&'a self, skill: &'a str, key: &'a str) -> BoxFuture<'a, Result<String, CallError>> {
        Box::pin(async move { self.0.run(skill, key).output().await })
    }

    fn progress<'a>(&'a self, skill: &'a str, key: &'a str) -> BoxFuture<'a, Result<Progress, Failure>> {
        Box::pin(async move { self.0.run(skill, key).progress().await })
    }

    fn cancel<'a>(&'a self, skill: &'a str, key: &'a str) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move { self.0.run(skill, key).cancel().await })
    }

    fn runs(&self, limit: usize) -> BoxFuture<'_, Result<Vec<[String; 3]>, Failure>> {
        Box::pin(async move {
            let runs = self.0.runs(limit).await?;
            Ok(runs.into_iter().map(|run| [run.key, run.skill, run.status]).collect())
        })
    }

    fn steps<'a>(&'a self, skill: &'a str, key: &'a str) -> BoxFuture<'a, Result<Vec<String>, Failure>> {
        Box::pin(async move {
            let steps = self.0.run(skill, key).steps().await?;
            let line = |step: &skills_temporal::Step| match step.duration() {
                Some(duration) => format!("  {} {:.3} s, {}", step.state, duration.as_secs_f64(), step.place),
                None => format!("  {}, {}", step.state, step.place),
            };
            Ok(steps.iter().map(line).collect())
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args_os().skip(1)) {
        Ok(arguments) => arguments,
        Err(why) => {
            eprintln!("{why}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let address = arguments.at.clone().unwrap_or_else(|| "127.0.0.1:7233".to_owned());
    match Remote::connect(&address).await {
        Ok(remote) => skills_engines::run(&Temporal(remote), arguments, USAGE).await,
        Err(why) => {
            eprintln!("{address}: {why}");
            ExitCode::FAILURE
        }
    }
}
