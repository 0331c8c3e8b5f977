//! The command of a durable engine: `worker`, `call` and `runs`, the same for each; a program gives its engine a [`Door`].
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it talks to its user")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use skills_runtime::call::durable::{Progress, fresh_key};
use skills_runtime::call::{BoxFuture, CallError, Failure, Runner};
use skills_runtime::load::Layers;

/// What an engine can do for its command.
pub trait Door: Sync {
    /// Serves skills until the process is ended.
    fn serve<'a>(&'a self, runner: Runner, only: Vec<String>) -> BoxFuture<'a, Result<(), Failure>>;

    /// Begins a run, or finds the one that has the key.
    fn start<'a>(
        &'a self,
        skill: &'a str,
        input: &'a str,
        key: &'a str,
        timeout: Option<Duration>,
    ) -> BoxFuture<'a, Result<(), Failure>>;

    /// Waits for the output of a run.
    fn output<'a>(&'a self, skill: &'a str, key: &'a str) -> BoxFuture<'a, Result<String, CallError>>;

    /// Says how far a run is.
    fn progress<'a>(&'a self, skill: &'a str, key: &'a str) -> BoxFuture<'a, Result<Progress, Failure>>;

    /// Cancels a run.
    fn cancel<'a>(&'a self, skill: &'a str, key: &'a str) -> BoxFuture<'a, Result<(), Failure>>;

    /// Lists the newest runs: key, skill, status.
    fn runs(&self, limit: usize) -> BoxFuture<'_, Result<Vec<[String; 3]>, Failure>>;

    /// Lists the steps of a run with their times, as lines.
    fn steps<'a>(&'a self, skill: &'a str, key: &'a str) -> BoxFuture<'a, Result<Vec<String>, Failure>>;
}

/// What the arguments say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    words: Vec<String>,
    dirs: Vec<PathBuf>,
    only: Vec<String>,
    workspace: Option<PathBuf>,
    input: Option<String>,
    key: Option<String>,
    timeout: Option<Duration>,
    detach: bool,
    /// The address of the server.
    pub at: Option<String>,
    /// The second address, where there is one.
    pub admin: Option<String>,
    /// Where a worker listens, where it does.
    pub listen: Option<String>,
}

impl Arguments {
    /// Reads the arguments.
    ///
    /// # Errors
    /// One is not known, or has no value.
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut read = Self::default();
        while let Some(word) = words.next() {
            if word == "--detach" {
                read.detach = true;
                continue;
            }
            if !word.starts_with("--") {
                read.words.push(word);
                continue;
            }
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            match word.as_str() {
                "--dir" => read.dirs.push(value.into()),
                "--only" => read.only.extend(value.split(',').map(str::to_owned)),
                "--workspace" => read.workspace = Some(value.into()),
                "--input" => read.input = Some(value),
                "--key" => read.key = Some(value),
                "--timeout" => read.timeout = Some(Duration::from_millis(value.parse()?)),
                "--at" => read.at = Some(value),
                "--admin" => read.admin = Some(value),
                "--listen" => read.listen = Some(value),
                _ => return Err(format!("{word} is not known").into()),
            }
        }
        Ok(read)
    }
}

/// Carries the command out: what it answers goes to the standard output, all else to the other.
pub async fn run(door: &impl Door, arguments: Arguments, usage: &str) -> ExitCode {
    match carry_out(door, arguments, usage).await {
        Ok(code) => code,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
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
            let mut runner = Runner::from(layers);
            if let Some(workspace) = arguments.workspace {
                runner = runner.workspace(workspace);
            }
            let only = Some(arguments.only.clone()).filter(|only| !only.is_empty());
            for name in runner.servable(only.as_deref())? {
                eprintln!("serving {name}");
            }
            door.serve(runner, arguments.only).await?;
        }
        ["call", skill] => {
            let input = arguments.input.unwrap_or_else(|| "{}".to_owned());
            let key = arguments.key.unwrap_or_else(fresh_key);
            door.start(skill, &input, &key, arguments.timeout).await?;
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

/// Waits for a run, and tells meanwhile what becomes of its steps.
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

#[cfg(test)]
mod tests {
    use super::Arguments;

    fn read(words: &str) -> Result<Arguments, String> {
        Arguments::read(words.split(' ').map(str::to_owned)).map_err(|why| why.to_string())
    }

    // SPEC 19.11
    #[test]
    fn arguments_stand_in_any_order() {
        let said = read("--key k call greet --detach --only a,b --timeout 1500").expect("they are known");
        assert_eq!(Ok(said), read("call --only a,b --timeout 1500 greet --detach --key k"));
        assert_eq!(read("call greet --keys k"), Err("--keys is not known".to_owned()));
        assert_eq!(read("call greet --key"), Err("--key needs a value".to_owned()));
        assert!(read("call greet --timeout soon").is_err());
    }
}
