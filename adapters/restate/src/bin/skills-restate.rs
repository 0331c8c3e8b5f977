//! Skills on Restate from a shell: a worker of directories, calls, and runs.

use std::process::ExitCode;

use skills_engines::{Arguments, Door};
use skills_restate::{Progress, Remote, Worker};
use skills_runtime::call::durable::Request;
use skills_runtime::call::{BoxFuture, CallError, Failure, Runner};

const USAGE: &str = "\
Usage: skills-restate worker --dir DIR [--only A,B] [--workspace DIR] [--sandbox auto|require|off]
                      [--limit NAME=VALUE] [--env NAME] [--listen ADDRESS] [--admin ADDRESS]
       skills-restate call NAME [--input JSON|-] [--key KEY] [--timeout DUR] [--detach] [--at ADDRESS]
       skills-restate runs [list | show KEY | cancel KEY | attach KEY] [--at ADDRESS] [--admin ADDRESS]

--at is the ingress of the server (127.0.0.1:8080 by default), --admin its administration (port 9070 there), and --listen
where the worker listens and the server finds it (127.0.0.1:9080). `call` and `runs` are about pipelines.";

struct Restate {
    remote: Remote,
    listen: String,
}

impl Door for Restate {
    fn serve<'a>(&'a self, runner: Runner, only: Vec<String>) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let mut worker = Worker::new(runner);
            if !only.is_empty() {
                worker = worker.only(only);
            }
            let register = async {
                self.remote.register(&format!("http://{}", self.listen)).await?;
                eprintln!("registered");
                std::future::pending().await
            };
            tokio::select! {
                served = worker.serve(self.listen.parse()?) => served,
                failed = register => failed,
            }
        })
    }

    fn start<'a>(&'a self, request: Request, key: &'a str) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move { self.remote.start(request, key).await.map(|_| ()) })
    }

    fn output<'a>(&'a self, skill: &'a str, key: &'a str) -> BoxFuture<'a, Result<String, CallError>> {
        Box::pin(async move { self.remote.run(skill, key, true).output().await })
    }

    fn progress<'a>(&'a self, skill: &'a str, key: &'a str) -> BoxFuture<'a, Result<Progress, Failure>> {
        Box::pin(async move { self.remote.run(skill, key, true).progress().await })
    }

    fn cancel<'a>(&'a self, skill: &'a str, key: &'a str) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move { self.remote.run(skill, key, true).cancel().await })
    }

    fn runs(&self, limit: usize) -> BoxFuture<'_, Result<Vec<[String; 3]>, Failure>> {
        Box::pin(async move {
            let runs = self.remote.runs(limit).await?;
            Ok(runs.into_iter().map(|run| [run.key, run.skill, run.status]).collect())
        })
    }

    fn steps<'a>(&'a self, skill: &'a str, key: &'a str) -> BoxFuture<'a, Result<Vec<String>, Failure>> {
        Box::pin(async move {
            let progress = self.remote.run(skill, key, true).progress().await?;
            Ok(progress.steps.iter().map(|(step, state)| format!("  {state}, {step}")).collect())
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
    let or = |given: &Option<String>, otherwise: &str| given.clone().unwrap_or_else(|| otherwise.to_owned());
    let at = or(&arguments.at, "127.0.0.1:8080");
    let admin = format!("{}:9070", at.rsplit_once(':').map_or(at.as_str(), |(host, _)| host));
    let remote = Remote::new(at, or(&arguments.admin, &admin));
    let door = Restate { remote, listen: or(&arguments.listen, "127.0.0.1:9080") };
    skills_engines::run(&door, arguments, USAGE).await
}
