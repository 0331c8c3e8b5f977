//! `call`: runs a skill of any mode as a function and prints its output.

mod progress;

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use skills_call::trace::TraceContext;
use skills_call::{CallError, CallOptions, Plan, Runner};
use skills_exec::{DEFAULT_TIMEOUT_TYPED, choose_timeout};

use crate::confined::Confined;
use crate::failure::Ended;
use crate::model::Model;
#[cfg(feature = "otlp")]
use crate::otlp::Otlp;
use crate::workspace::Workspace;
use crate::{failure, input, interrupt, terminal};
use progress::Progress;

#[derive(Debug, Args)]
pub(crate) struct Call {
    /// The skill
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    /// What it is given; `-` reads it from standard input [default: {}]
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub(crate) input: Option<String>,
    /// How long an attempt may take: milliseconds, or `300ms`, `1.5s`, `5m`, `1h30m` [default: what the skill says, else
    /// 30s]
    #[arg(long, value_name = "DUR", allow_hyphen_values = true)]
    pub(crate) timeout: Option<String>,
    #[command(flatten)]
    workspace: Workspace,
    #[command(flatten)]
    confined: Confined,
    /// Check the input, show what would run (the rendered prompt, the steps), and run nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    model: Model,
    #[cfg(feature = "otlp")]
    #[command(flatten)]
    pub(crate) otlp: Otlp,
}

impl Call {
    /// Calls the skill and prints its output. Prints the start and end of each step on standard error. `own`
    /// is `true` if a program set the policy of the runner.
    pub(crate) fn run(&self, runner: Runner, own: bool) -> Ended {
        let runner = self.confined.give(runner, own)?;
        // Report an unknown name before waiting for standard input.
        if let Some(untrusted) = runner.skills().untrusted(&self.name) {
            return Err(failure::told(&untrusted.to_string()));
        }
        if runner.skills().skill(&self.name).is_none() {
            return Err(failure::not_found(&runner.skills().not_found(&self.name)));
        }
        let runner = self.model.give(runner)?;
        #[cfg(feature = "otlp")]
        let runner = self.otlp.give(runner);
        let input = input::read(self.input.as_deref())?.unwrap_or_else(|| "{}".to_owned());
        let timeout = self.timeout().map_err(|reason| failure::told(&reason))?;
        if self.dry_run {
            let plan = runner.plan(&self.name, &input).map_err(|error| failed(&error))?;
            warn(&plan, &runner);
            return Ok(terminal::json(&format!("{:#}\n", plan.to_json())));
        }
        let progress = Progress::of_terminal();
        let options = CallOptions::default()
            .workspace(self.workspace.path())
            .timeout(timeout)
            .trace(TraceContext::of_environment())
            .on_event(progress.observer());
        let done = interrupt::run(runner.call_text(&self.name, input, options));
        progress.end();
        let called = done?.map_err(|signal| {
            failed(&CallError::Cancelled { skill: self.name.clone() });
            signal.code()
        })?;
        let outcome = called.map_err(|error| failed(&error))?;
        Ok(terminal::json(&format!("{}\n", outcome.output)))
    }

    fn timeout(&self) -> Result<Option<Duration>, String> {
        let Some(given) = &self.timeout else { return Ok(None) };
        let chosen = choose_timeout(Some(given), None, DEFAULT_TIMEOUT_TYPED);
        chosen.map(Some).map_err(|refusal| refusal.to_string())
    }
}

/// Warns that a call, or one of its steps, would fail because nothing can run the skill.
fn warn(plan: &Plan, runner: &Runner) {
    let will_run = plan.steps.iter().filter(|step| step.would_run == Some(true) && !step.is_foreach);
    for step in will_run.filter(|step| !runner.is_callable(&step.skill)) {
        let (step, skill) = (&step.step, &step.skill);
        terminal::line(&format!("note: the step `{step}` would fail: nothing at hand can run `{skill}`"));
    }
    if let Err(missing) = &plan.backend {
        terminal::line(&format!("note: a call would fail: {missing}"));
    }
}

/// Prints why a call has no output.
fn failed(error: &CallError) -> ExitCode {
    match error {
        CallError::NotFound(missing) => failure::not_found(missing),
        error => failure::told(&error.to_string()),
    }
}
