//! The command of a durable engine: `worker`, `call` and `runs`, the same for each engine. A program
//! implements [`EngineClient`] for its engine.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it talks to its user")]

mod arguments;

use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches};
use skills_call::durable::Request;
use skills_call::trace::TraceContext;
use skills_call::{CallError, Failure, Runner};
use skills_load::LayersBuilder;

use crate::{Progress, fresh_key};
use arguments::{Action, Arguments, Command, WorkerArguments};

/// The operations of an engine that its command needs.
pub trait EngineClient {
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

/// Parses the command line of the program named `program`, and runs its command. `A` declares the arguments for the
/// addresses of the engine, which must be `global` arguments of clap; `open` connects to these addresses. Results go
/// to standard output, everything else to standard error.
pub async fn main<A: clap::Args, C: EngineClient>(
    program: &'static str,
    open: impl AsyncFnOnce(A) -> Result<C, Failure>,
) -> ExitCode {
    // Programs must not be able to read the secrets of this process.
    skills_exec::conceal();
    let command = Arguments::<A>::command().name(program).about("Runs skills on a durable engine");
    let arguments = match Arguments::<A>::from_arg_matches(&command.get_matches()) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    let done = async {
        let client = open(arguments.addresses).await?;
        execute(&client, arguments.command).await
    };
    done.await.unwrap_or_else(|why| {
        eprintln!("error: {why}");
        ExitCode::FAILURE
    })
}

async fn execute(client: &impl EngineClient, command: Command) -> Result<ExitCode, Failure> {
    match command {
        Command::Worker(worker) => work(client, worker).await?,
        Command::Call(call) => {
            let request = Request {
                timeout: call.timeout,
                trace: TraceContext::of_environment(),
                ..Request::new(&*call.skill, call.input()?)
            };
            let key = call.run_key.clone().unwrap_or_else(fresh_key);
            client.start(request, &key).await?;
            eprintln!("run {key}");
            if !call.detach {
                return attach(client, &call.skill, &key).await;
            }
        }
        Command::Runs { action } => return act(client, action.unwrap_or_default()).await,
    }
    Ok(ExitCode::SUCCESS)
}

async fn work(client: &impl EngineClient, worker: WorkerArguments) -> Result<(), Failure> {
    let mut layers = LayersBuilder::new();
    for dir in &worker.dir {
        layers = layers.directory(dir);
    }
    let layers = layers.load()?;
    for problem in layers.problems() {
        eprintln!("{problem}");
    }
    let runner = worker.configure(Runner::from(layers))?;
    let only = Some(worker.skill.clone()).filter(|only| !only.is_empty());
    for name in runner.server_access().servable(only.as_deref())? {
        eprintln!("serving {name}");
    }
    client.serve(runner, worker.skill).await
}

async fn act(client: &impl EngineClient, action: Action) -> Result<ExitCode, Failure> {
    let (Action::Show { key } | Action::Cancel { key } | Action::Attach { key }) = &action else {
        for [key, skill, status] in client.runs(100).await? {
            println!("{status}\t{skill}\t{key}");
        }
        return Ok(ExitCode::SUCCESS);
    };
    let runs = client.runs(10_000).await?;
    let found = runs.iter().find(|[known, ..]| known == key);
    let [_, skill, status] = found.ok_or_else(|| format!("there is no run {key}"))?;
    match action {
        Action::Cancel { .. } => client.cancel(skill, key).await?,
        Action::Attach { .. } => return attach(client, skill, key).await,
        Action::List | Action::Show { .. } => {
            println!("{status}\t{skill}\t{key}");
            client.steps(skill, key).await?.iter().for_each(|line| println!("{line}"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Waits for a run, and prints the progress of its steps.
async fn attach(client: &impl EngineClient, skill: &str, key: &str) -> Result<ExitCode, Failure> {
    let follow = async {
        let mut seen = Progress::default();
        loop {
            tokio::time::sleep(Duration::from_millis(500)).await;
            let Ok(now) = client.progress(skill, key).await else { continue };
            for (step, state) in now.steps.iter().filter(|one| !seen.steps.contains(one)) {
                eprintln!("{step}: {state}");
            }
            seen = now;
        }
    };
    let output = tokio::select! {
        output = client.output(skill, key) => output,
        () = follow => return Err("the progress of the run ended before its output".into()),
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
