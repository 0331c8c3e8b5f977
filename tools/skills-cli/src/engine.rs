//! `worker`, `runs` and `call` on a durable engine. They start the engine's own program, as git and cargo
//! start the programs of external subcommands.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use clap::{ArgGroup, Args, Subcommand};

use super::source::Directories;
use crate::otlp::Otlp;
use skills_commands::arguments::{Row, one_of};
use skills_commands::call::Call;
use skills_commands::confined::Confined;
use skills_commands::{failure, terminal};

/// The server of the engine; one of the three.
#[derive(Debug, Args)]
pub(super) struct EngineServer {
    /// The address of a Temporal server, such as 127.0.0.1:7233; requires the program `skills-temporal`
    #[arg(long, value_name = "ADDRESS", help_heading = "Engine")]
    temporal: Option<String>,
    /// The address of the Restate ingress, such as 127.0.0.1:8080; requires the program `skills-restate`
    #[arg(long, value_name = "ADDRESS", help_heading = "Engine")]
    restate: Option<String>,
    /// Another engine and the address of its server; requires the program `skills-NAME`
    #[arg(long = "engine", value_name = "NAME=ADDRESS", value_parser = named, help_heading = "Engine")]
    other: Option<(String, String)>,
    /// The address of the Restate admin API [default: port 9070 of the ingress]
    #[arg(
        long,
        value_name = "ADDRESS",
        requires = "restate",
        conflicts_with_all = ["temporal", "other"],
        help_heading = "Engine"
    )]
    admin: Option<String>,
}

/// Groups the options that name an engine, which exclude each other.
fn which() -> ArgGroup {
    ArgGroup::new("server").args(["temporal", "restate", "other"])
}

/// Parses the name of an engine, which is a part of a program's name, and the address of its server.
fn named(text: &str) -> Result<(String, String), String> {
    if let Some((name, at)) = text.split_once('=')
        && !name.is_empty()
        && !at.is_empty()
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    {
        return Ok((name.to_owned(), at.to_owned()));
    }
    Err("expected a name of lower-case letters, digits and hyphens, `=`, and an address".to_owned())
}

impl EngineServer {
    /// Returns the name and the address of the engine that the arguments name.
    fn server(&self) -> Option<(&str, &str)> {
        let known = [("temporal", &self.temporal), ("restate", &self.restate)];
        let known = known.into_iter().find_map(|(name, at)| Some((name, at.as_deref()?)));
        known.or_else(|| self.other.as_ref().map(|(name, at)| (name.as_str(), at.as_str())))
    }

    /// Runs the program of the engine in place of this process, with these arguments and the address.
    fn run(&self, arguments: Arguments) -> ExitCode {
        let Some((name, at)) = self.server() else {
            return terminal::usage("name the engine with `--temporal ADDRESS` or `--restate ADDRESS`");
        };
        let program = format!("skills-{name}");
        let Arguments(given) = arguments.with("--at", Some(at)).with("--admin", self.admin.as_ref());
        let problem = match become_it(Command::new(&program).args(given)) {
            Ok(code) => return code,
            Err(problem) => problem,
        };
        if problem.kind() != io::ErrorKind::NotFound {
            return failure::error(format!("`{program}` cannot be started: {problem}"));
        }
        let help = format!(
            "\nhelp: it is a separate program because it needs a newer compiler; in a checkout of skills, run\n\
             \x20 cargo install --locked --path adapters/{name}"
        );
        let help = if self.other.is_none() { help.as_str() } else { "" };
        failure::error(format!("the program `{program}` was not found in PATH{help}"))
    }
}

/// The program replaces this process, so it receives the signals and the input, and sets the exit code.
#[cfg(unix)]
fn become_it(command: &mut Command) -> io::Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

#[cfg(not(unix))]
fn become_it(command: &mut Command) -> io::Result<ExitCode> {
    let code = command.status()?.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The arguments of the engine's program.
struct Arguments(Vec<OsString>);

impl Arguments {
    fn new<S: AsRef<OsStr>>(words: impl IntoIterator<Item = S>) -> Self {
        Self(words.into_iter().map(|word| word.as_ref().to_owned()).collect())
    }

    /// Adds an option once for each value.
    fn with<S: AsRef<OsStr>>(mut self, name: &str, values: impl IntoIterator<Item = S>) -> Self {
        for value in values {
            self.0.extend([name.into(), value.as_ref().to_owned()]);
        }
        self
    }

    fn flag(mut self, name: &str, is_set: bool) -> Self {
        self.0.extend(is_set.then(|| name.into()));
        self
    }
}

/// The commands of `skills engine`.
#[derive(Debug, Subcommand)]
pub(super) enum EngineCommand {
    /// Show, await or cancel runs on a durable engine
    #[command(after_help = "\
Examples:
  skills engine runs --temporal 127.0.0.1:7233
                                            list the newest runs
  skills engine runs show monday --temporal 127.0.0.1:7233
                                            show the steps of a run with their times
  skills engine runs attach monday --restate 127.0.0.1:8080
                                            wait for the output of a run

This command requires the program `skills-temporal` or `skills-restate`; docs/ENGINES.md explains how to install it.")]
    Runs(Runs),
    /// Run skills for a durable engine
    Worker(WorkerCommand),
}

impl EngineCommand {
    pub(super) fn run(&self) -> ExitCode {
        match self {
            Self::Runs(runs) => runs.run(),
            Self::Worker(worker) => worker.run(),
        }
    }
}

#[derive(Debug, Args)]
#[command(
    group = which().required(true),
    override_usage = "skills engine worker [OPTIONS] <--temporal|--restate|--engine> ADDRESS DIR...",
    after_help = "\
Examples:
  skills engine worker skills --temporal 127.0.0.1:7233
                                            serve all pipelines and all skills with a program
  skills engine worker skills --restate 127.0.0.1:8080 --bind 10.0.0.7:9080
                                            listen for Restate at another address
  skills engine worker skills --skill transcribe --temporal 127.0.0.1:7233
                                            serve one skill only

This command requires the program `skills-temporal` or `skills-restate`; docs/ENGINES.md explains how to install it."
)]
pub(super) struct WorkerCommand {
    /// Directories of skills, or single skills; skills in a later directory hide skills of the same name
    #[arg(value_name = "DIR", required_unless_present = "named")]
    dir: Vec<PathBuf>,
    #[arg(id = "named", long = "dir", value_name = "DIR", hide = true)]
    named: Vec<PathBuf>,
    /// Serve only this skill (repeatable, or separated by commas)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    skill: Vec<String>,
    /// The working directory of programs [default: the current directory]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    #[command(flatten)]
    confined: Confined,
    /// The address at which the worker listens for Restate [default: 127.0.0.1:9080]
    #[arg(
        long,
        value_name = "ADDRESS",
        requires = "restate",
        conflicts_with_all = ["temporal", "other"],
        help_heading = "Engine"
    )]
    bind: Option<String>,
    #[command(flatten)]
    engine: EngineServer,
}

impl WorkerCommand {
    /// Serves until the process is ended.
    pub(super) fn run(&self) -> ExitCode {
        let [sandbox, limits, names] = self.confined.words();
        let arguments = Arguments::new(["worker"])
            .with("--dir", self.dir.iter().chain(&self.named))
            .with("--skill", &self.skill)
            .with("--workspace", &self.workspace)
            .with("--sandbox", sandbox)
            .with("--resource-limit", limits)
            .with("--env", names)
            .with("--bind", &self.bind);
        self.engine.run(arguments)
    }
}

/// The actions on runs. The engine's program uses the same words.
const DEEDS: [Row<&str>; 4] = [
    ("list", "List the newest runs: status, skill and key", "list"),
    ("show", "Show a run with its steps", "show"),
    ("cancel", "Cancel a run", "cancel"),
    ("attach", "Wait for the output of a run", "attach"),
];

#[derive(Debug, Args)]
#[command(
    group = which().required(true),
    override_usage = "skills engine runs <--temporal|--restate|--engine> <ADDRESS> [ACTION] [KEY]"
)]
pub(super) struct Runs {
    /// The action
    #[arg(value_name = "ACTION", default_value = "list", value_parser = one_of(DEEDS))]
    action: &'static str,
    /// The key of the run, as in `call --run-key`
    #[arg(value_name = "KEY", required_if_eq_any = [("action", "show"), ("action", "cancel"), ("action", "attach")])]
    key: Option<String>,
    #[command(flatten)]
    engine: EngineServer,
}

impl Runs {
    pub(super) fn run(&self) -> ExitCode {
        self.engine.run(Arguments::new(["runs", self.action].into_iter().chain(self.key.as_deref())))
    }
}

/// The options of a local call that a call on an engine does not take, because the workers set them.
const HERE: &[&str] = &[
    "dir",
    "lenient",
    "require_signature",
    "workspace",
    "sandbox",
    "resource_limit",
    "env",
    "dry_run",
    "model",
    "base_url",
    "otlp",
];

#[derive(Debug, Args)]
#[command(group = which().conflicts_with_all(HERE))]
pub(super) struct AnyCall {
    #[command(flatten)]
    pub(super) skills: Directories,
    #[command(flatten)]
    pub(super) command: Call,
    #[command(flatten)]
    pub(super) otlp: Otlp,
    #[command(flatten)]
    engine: EngineServer,
    /// The key of the run; a second call with the same key returns the result of the first [default: a unique key]
    #[arg(long, value_name = "KEY", requires = "server", help_heading = "Engine")]
    run_key: Option<String>,
    /// Start the run without waiting for its result
    #[arg(long, requires = "server", help_heading = "Engine")]
    detach: bool,
}

impl AnyCall {
    /// Makes the call on an engine if the arguments name one.
    pub(super) fn elsewhere(&self) -> Option<ExitCode> {
        self.engine.server()?;
        let Call { name, input, timeout, .. } = &self.command;
        let arguments = Arguments::new(["call", name])
            .with("--input", input)
            .with("--timeout", timeout)
            .with("--run-key", &self.run_key)
            .flag("--detach", self.detach);
        Some(self.engine.run(arguments))
    }
}
