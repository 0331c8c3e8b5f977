//! The command of a durable engine: `worker`, `call` and `runs`, the same for each engine. A program
//! implements [`Door`] for its engine.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it talks to its user")]

mod arguments;

use std::process::ExitCode;
use std::time::Duration;

use skills_call::durable::{Progress, Request, fresh_key};
use skills_call::trace::TraceContext;
use skills_call::{CallError, Failure, Runner};
use skills_load::Layers;

pub use arguments::Arguments;

/// The operations of an engine that its command needs.
pub trait Door {
    /// Serves skills until the process ends. With an empty `only`, serves all skills that can be served.
    fn serve(&self, runner: Runner, only: Vec<String>) -> impl Future<Output = Result<(), Failure>>;

    /// Starts a run, or finds the existing one with the key.
    fn start(&self, request: Request, key: &str) -> impl Future<Output = Result<(), Failure>>;

    /// Waits for the output of a run.
    fn output(&self, skill: &str, key: &str) -> impl Future<Output = Result<String, CallError>>;

    /// Returns the progress of a run.
    fn progress(&self, skill: &str, key: &str) -> impl Future<Output = Result<Progress, Failure>>;

    /// Cancels a run.
    fn cancel(&self, skill: &str, key: &str) -> impl Future<Output = Result<(), Failure>>;

    /// Lists the newest runs: key, skill, status.
    fn runs(&self, limit: usize) -> impl Future<Output = Result<Vec<[String; 3]>, Failure>>;

    /// Lists the steps of a run with their times, as lines.
    fn steps(&self, skill: &str, key: &str) -> impl Future<Output = Result<Vec<String>, Failure>>;
}

/// Runs the command of this process. `open` connects to the engine. Results go to standard output, everything
/// else to standard error.
pub async fn main<D: Door>(
    usage: &str,
    open: impl AsyncFnOnce(&Arguments) -> Result<D, Failure>,
) -> ExitCode {
    // Programs must not be able to read the secrets of this process.
    skills_exec::conceal();
    if std::env::args_os().skip(1).any(|word| word == "--help" || word == "-h") {
        println!("{usage}");
        return ExitCode::SUCCESS;
    }
    let arguments = match Arguments::read(std::env::args_os().skip(1)) {
        Ok(arguments) => arguments,
        Err(why) => {
            eprintln!("{why}\n{usage}");
            return ExitCode::from(2);
        }
    };
    let done = async {
        let door = open(&arguments).await?;
        carry_out(&door, arguments, usage).await
    };
    done.await.unwrap_or_else(|why| {
        eprintln!("{why}");
        ExitCode::FAILURE
    })
}

async fn carry_out(door: &impl Door, arguments: Arguments, usage: &str) -> Result<ExitCode, Failure> {
    let words: Vec<&str> = arguments.words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["worker"] => {
            let mut layers = Layers::builder();
            for dir in &arguments.dirs {
                layers = layers.directory(dir);
            }
            let layers = layers.load()?;
            for problem in layers.problems() {
                eprintln!("{problem}");
            }
            let runner = arguments.give(Runner::from(layers))?;
            let only = Some(arguments.only.clone()).filter(|only| !only.is_empty());
            for name in runner.servable(only.as_deref())? {
                eprintln!("serving {name}");
            }
            door.serve(runner, arguments.only).await?;
        }
        ["call", skill] => {
            let request = Request {
                timeout: arguments.timeout,
                trace: TraceContext::of_environment(),
                ..Request::new(*skill, arguments.input()?)
            };
            let key = arguments.key.clone().unwrap_or_else(fresh_key);
            door.start(request, &key).await?;
            eprintln!("run {key}");
            if !arguments.detach {
                return attach(door, skill, &key).await;
            }
        }
        ["runs"] | ["runs", "list"] => {
            for [key, skill, status] in door.runs(100).await? {
                println!("{status}\t{skill}\t{key}");
            }
        }
        ["runs", what @ ("show" | "cancel" | "attach"), key] => {
            let runs = door.runs(10_000).await?;
            let found = runs.iter().find(|[known, ..]| known == key);
            let [_, skill, status] = found.ok_or_else(|| format!("there is no run {key}"))?;
            match *what {
                "cancel" => door.cancel(skill, key).await?,
                "attach" => return attach(door, skill, key).await,
                _ => {
                    println!("{status}\t{skill}\t{key}");
                    door.steps(skill, key).await?.iter().for_each(|line| println!("{line}"));
                }
            }
        }
        _ => {
            eprintln!("{usage}");
            return Ok(ExitCode::from(2));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Waits for a run, and prints the progress of its steps.
async fn attach(door: &impl Door, skill: &str, key: &str) -> Result<ExitCode, Failure> {
    let follow = async {
        let mut seen = Progress::default();
        loop {
            tokio::time::sleep(Duration::from_millis(500)).await;
            let Ok(now) = door.progress(skill, key).await else { continue };
            for (step, state) in now.steps.iter().filter(|one| !seen.steps.contains(one)) {
                eprintln!("{step}: {state}");
            }
            seen = now;
        }
    };
    let output = tokio::select! {
        output = door.output(skill, key) => output,
        () = follow => return Err("it is followed for ever".into()),
    };
    Ok(match output {
        Ok(output) => {
            println!("{output}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", error.kind().as_str());
            ExitCode::FAILURE
        }
    })
}
