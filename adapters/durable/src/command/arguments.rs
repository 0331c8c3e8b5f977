//! The command line of an engine's program.

use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use skills_call::{Failure, Runner};
use skills_exec::{Confine, Confinement, DEFAULT_TIMEOUT_TYPED, Limits, choose_timeout};

/// The command line of an engine's program: a command and the addresses of the server, which stand before or after it.
#[derive(Debug, clap::Parser)]
#[command(arg_required_else_help = true)]
pub(crate) struct Arguments<A: clap::Args> {
    #[command(flatten)]
    pub(crate) addresses: A,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Serve the skills of directories until the process ends
    Worker(WorkerArguments),
    /// Run a skill and print its output
    Call(CallArguments),
    /// List, show, cancel and follow the runs of pipelines
    Runs {
        #[command(subcommand)]
        action: Option<Action>,
    },
}

#[derive(Clone, Debug, Default, clap::Subcommand)]
pub(crate) enum Action {
    /// List the newest runs: status, skill and key
    #[default]
    List,
    /// Show a run with its steps
    Show { key: String },
    /// Cancel a run
    Cancel { key: String },
    /// Wait for the output of a run
    Attach { key: String },
}

#[derive(Debug, clap::Args)]
pub(crate) struct CallArguments {
    /// The name of the skill
    #[arg(value_name = "NAME")]
    pub(crate) skill: String,
    /// The input as JSON; `-` reads it from standard input
    #[arg(long, value_name = "JSON", default_value = "{}")]
    input: String,
    /// The key of the run; a second call with the same key returns the result of the first [default: a unique key]
    #[arg(long, value_name = "KEY")]
    pub(crate) run_key: Option<String>,
    /// The time limit, such as 90s; a number alone counts milliseconds
    #[arg(long, value_name = "DURATION", value_parser = timeout)]
    pub(crate) timeout: Option<Duration>,
    /// Do not wait for the output
    #[arg(long)]
    pub(crate) detach: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct WorkerArguments {
    /// A directory of skills, or a single skill (repeatable); later ones hide skills of the same name
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Vec<PathBuf>,
    /// Serve only these skills (repeatable, or separated by commas)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) skill: Vec<String>,
    /// The working directory of programs [default: the current directory]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// When to confine programs to the permissions that their skill requests [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = confine())]
    sandbox: Option<Confine>,
    /// Limit each process: memory=256M, cpu=10s, processes=16 or file-size=10M (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = limit)]
    resource_limit: Vec<String>,
    /// Pass a variable of this command's environment to every program, confined or not (repeatable)
    #[arg(long, value_name = "NAME")]
    env: Vec<String>,
}

fn timeout(text: &str) -> Result<Duration, String> {
    choose_timeout(Some(text), None, DEFAULT_TIMEOUT_TYPED).map_err(|why| why.to_string())
}

fn limit(text: &str) -> Result<String, String> {
    Limits::default().set(text).map(|()| text.to_owned()).map_err(|why| why.to_string())
}

fn confine() -> impl TypedValueParser<Value = Confine> {
    PossibleValuesParser::new(Confine::ALL.map(Confine::as_str)).try_map(|word| word.parse())
}

impl CallArguments {
    /// Returns the input; `-` reads it from standard input.
    pub(crate) fn input(&self) -> Result<String, Failure> {
        if self.input != "-" {
            return Ok(self.input.clone());
        }
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        Ok(text)
    }
}

impl WorkerArguments {
    /// Sets the workspace of a runner, and the policy for its programs, which is the same as in `skills
    /// call`.
    pub(crate) fn configure(&self, runner: Runner) -> Result<Runner, Failure> {
        let confine = self.sandbox.unwrap_or(Confine::Auto);
        if confine == Confine::Auto
            && let Some(lack) = Confinement::unavailable()
        {
            eprintln!("note: programs of trusted skills run without a sandbox: {lack}");
        }
        let mut limits = Limits::default();
        for limit in &self.resource_limit {
            limits.set(limit).map_err(|why| why.to_string())?;
        }
        let policy = Confinement::off().confine(confine).limits(limits);
        let names = self.env.iter().map(String::as_str);
        let runner = runner.confinement(policy.offer(std::env::vars_os(), names));
        let Some(workspace) = &self.workspace else { return Ok(runner) };
        // Programs get an absolute path, which does not depend on their working directory.
        Ok(runner.workspace(std::path::absolute(workspace)?))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::{Arguments, Command};

    #[derive(Debug, clap::Args)]
    struct Addresses {
        #[arg(long, global = true)]
        at: Option<String>,
    }

    fn parse(line: &str) -> Result<Arguments<Addresses>, String> {
        let words = std::iter::once("skills-test").chain(line.split(' '));
        Arguments::try_parse_from(words).map_err(|error| error.to_string())
    }

    fn shown(line: &str) -> String {
        format!("{:?}", parse(line).expect("the arguments are valid"))
    }

    // SPEC 19.11
    #[test]
    fn arguments_have_any_order() {
        assert_eq!(
            shown("--at a:1 call greet --detach --run-key k --timeout 1500"),
            shown("call --timeout 1.5s --run-key k greet --at a:1 --detach"),
        );
        assert_eq!(
            shown("worker --dir a --dir b --skill a,b --resource-limit cpu=1s"),
            shown("worker --resource-limit cpu=1s --skill a --skill b --dir a --dir b"),
        );
        assert!(matches!(parse("runs").map(|read| read.command), Ok(Command::Runs { action: None })));
    }

    // SPEC 19.11
    #[test]
    fn unknown_and_incomplete_arguments_are_errors() {
        let error = parse("call greet --run-keys k").expect_err("the option does not exist");
        assert!(error.contains("'--run-key'"), "{error}");
        for line in [
            "call greet --run-key",
            "call greet --timeout soon",
            "worker --sandbox on",
            "worker --resource-limit memory=soon",
            "runs show",
            "serve",
        ] {
            parse(line).expect_err(line);
        }
    }
}
