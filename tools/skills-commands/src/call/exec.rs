//! Runs the program of a skill so that a signal ends it. Uses the runner if there is one.

use std::process::ExitCode;
use std::time::Instant;

use skills_call::Runner;
use skills_call::trace::TraceContext;
use skills_exec::{ExecOptions, Outcome, RunOptions, StderrLog, start_skill};
use skills_runtime::layers::{Found, Layers};

use super::distrust;
use super::interrupt::{self, Signal};
use super::progress::CallProgress;
use crate::client::own_spelling;
use crate::exec::{Exec, print, print_ended};
use crate::failure::{self, Ended};

impl Exec {
    /// Runs the program as a runner does, prints the JSON of the outcome, and passes on the exit code. A
    /// signal ends the program and every process that it started. `own` is `true` if a program set the policy
    /// of the runner.
    pub fn run(&self, runner: Runner, own: bool) -> Ended {
        let runner = self.confined.apply_to(runner, own)?;
        let layers = runner.skills();
        let name = own_spelling(layers, &self.name);
        if let Some(reason) = distrust(layers, name) {
            return Err(failure::error(format!("not_trusted: {reason}")));
        }
        let Some(skill) = layers.get(name) else {
            return Err(failure::not_found(&layers.not_found(name)));
        };
        let input = self.input(skill.program().is_some())?;
        let options = ExecOptions::default()
            .timeout(self.timeout.clone())
            .workspace(self.workspace.path())
            .trace(TraceContext::of_environment());
        let written = StderrLog::default();
        let options = options.stderr_log(written.clone());
        let (start, progress) = (Instant::now(), CallProgress::of_program(name));
        // The program starts when the future is polled, after the signals are caught.
        let done = interrupt::run(async { runner.exec(name, input, options).await });
        progress.end();
        match done? {
            Ok(outcome) => Ok(print_ended(&outcome.map_err(|reason| self.refused(&reason))?, layers)),
            Err(signal) => Ok(self.cancelled(start, &written, signal)),
        }
    }

    /// Runs the program of a skill. A signal ends it.
    pub(crate) fn run_found(
        &self,
        layers: &Layers,
        found: Found<'_>,
        input: String,
        options: &RunOptions,
    ) -> Ended {
        let written = StderrLog::default();
        let options = options.clone().stderr_log(written.clone());
        let (start, progress) = (Instant::now(), CallProgress::of_program(&self.name));
        let done = interrupt::run(async {
            let running =
                start_skill(found.skill, input, &options).map_err(|reason| self.refused(&reason))?;
            Ok(running.await)
        });
        progress.end();
        match done? {
            Ok(outcome) => outcome.map(|outcome| print_ended(&outcome, layers)),
            Err(signal) => Ok(self.cancelled(start, &written, signal)),
        }
    }

    /// Prints the outcome of a run that a signal ended, with what the program wrote to standard error, and returns the
    /// exit code of the command.
    fn cancelled(&self, start: Instant, written: &StderrLog, signal: Signal) -> ExitCode {
        print(&Outcome { stderr: written.text(), ..Outcome::cancelled(&self.name, start.elapsed()) });
        signal.code()
    }
}
