//! `exec`: runs the program of one skill and prints the outcome.

use std::process::ExitCode;
#[cfg(feature = "call")]
use std::time::Instant;

use clap::Args;
#[cfg(feature = "call")]
use skills_call::Runner;
#[cfg(feature = "call")]
use skills_call::trace::TraceContext;
#[cfg(feature = "call")]
use skills_exec::{ExecOptions, start_skill};
use skills_exec::{NotRun, Outcome, RunOptions};

use crate::confined::Confined;
use crate::failure::Ended;
#[cfg(feature = "call")]
use crate::interrupt::{self, Signal};
#[cfg(feature = "otlp")]
use crate::otlp::Otlp;
use crate::skill_source::{SkillEntry, SkillSource};
use crate::workspace::Workspace;
use crate::{failure, input, terminal};

#[derive(Debug, Args)]
pub(crate) struct Exec {
    /// The skill
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// What the program reads on its standard input; `-` passes on that of this command
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    input: Option<String>,
    /// How long it may run: milliseconds, or `300ms`, `1.5s`, `5m`, `1h30m` [default: what the skill says, else 5m, or
    /// 30s with a skill.json]
    #[arg(long, value_name = "DUR", allow_hyphen_values = true)]
    timeout: Option<String>,
    #[command(flatten)]
    workspace: Workspace,
    #[command(flatten)]
    confined: Confined,
    #[cfg(feature = "otlp")]
    #[command(flatten)]
    pub(crate) otlp: Otlp,
}

impl Exec {
    /// Runs the program as a runner does, prints the JSON of the outcome, and passes on the exit code. A
    /// signal ends the program and every process that it started. `own` is `true` if a program set the policy
    /// of the runner.
    #[cfg(feature = "call")]
    pub(crate) fn run(&self, runner: Runner, own: bool) -> Ended {
        let runner = self.confined.give(runner, own)?;
        #[cfg(feature = "otlp")]
        let runner = self.otlp.give(runner);
        let library = runner.skills();
        if let Some(untrusted) = library.untrusted(&self.name) {
            return Err(failure::told(&format!("not_trusted: {untrusted}")));
        }
        let Some(skill) = library.skill(&self.name) else {
            return Err(failure::not_found(&library.not_found(&self.name)));
        };
        let input = self.input(skill.program().is_some())?;
        let options = ExecOptions::default()
            .timeout(self.timeout.clone())
            .workspace(self.workspace.path())
            .trace(TraceContext::of_environment());
        let start = Instant::now();
        match interrupt::run(runner.exec(&self.name, input, options))? {
            Ok(outcome) => Ok(print(&outcome.map_err(|reason| refused(&reason))?)),
            Err(signal) => Ok(self.cancelled(start, signal)),
        }
    }

    /// Runs the program of a skill with the options of this process, because no runner is available.
    /// Otherwise works like [`run`](Self::run).
    pub(crate) fn run_alone(&self, skill_source: &SkillSource<'_>) -> Ended {
        let mut options = RunOptions::of_process();
        options.confinement = self.confined.change(std::mem::take(&mut options.confinement), false)?;
        let item = skill_source.find(&self.name).map_err(|missing| failure::not_found(&missing))?;
        let input = self.input(item.skill.program().is_some())?;
        (options.timeout, options.workspace) = (self.timeout.clone(), self.workspace.path());
        options.directory.clone_from(&item.directory);
        self.run_entry(&item, input, &options)
    }

    #[cfg(feature = "call")]
    fn run_entry(&self, item: &SkillEntry<'_>, input: String, options: &RunOptions) -> Ended {
        let start = Instant::now();
        let running = start_skill(item.skill, input, options).map_err(|reason| refused(&reason))?;
        Ok(match interrupt::run(running)? {
            Ok(outcome) => print(&outcome),
            Err(signal) => self.cancelled(start, signal),
        })
    }

    /// A signal ends this process. The keeper of the run then ends the program.
    #[cfg(not(feature = "call"))]
    #[expect(clippy::unused_self, reason = "as with the feature `call`")]
    fn run_entry(&self, item: &SkillEntry<'_>, input: String, options: &RunOptions) -> Ended {
        let outcome = skills_exec::run_skill(item.skill, input, options);
        Ok(print(&outcome.map_err(|reason| refused(&reason))?))
    }

    /// Prints the outcome of a run that a signal ended, and returns the exit code of the command.
    #[cfg(feature = "call")]
    fn cancelled(&self, start: Instant, signal: Signal) -> ExitCode {
        print(&Outcome::cancelled(&self.name, start.elapsed()));
        signal.code()
    }

    /// Reads the input. Refuses a skill without a program before waiting for standard input.
    fn input(&self, has_program: bool) -> Result<String, ExitCode> {
        Ok(if has_program { input::read(self.input.as_deref())?.unwrap_or_default() } else { String::new() })
    }
}

/// Prints why a program was not run.
fn refused(reason: &NotRun) -> ExitCode {
    failure::told(&match reason {
        NotRun::NoInput { .. } => format!("{reason}: give it by --input"),
        reason => reason.to_string(),
    })
}

fn print(outcome: &Outcome) -> ExitCode {
    match terminal::json(&format!("{}\n", outcome.to_json())) {
        ExitCode::SUCCESS => ExitCode::from(u8::try_from(outcome.exit_code).unwrap_or(1)),
        unwritten => unwritten,
    }
}
