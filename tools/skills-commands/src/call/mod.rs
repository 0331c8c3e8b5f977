//! `call`: runs a skill of any mode as a function and prints its output.
//!
//! The module also holds everything else that needs a runner: `graph`, the runner of a [`Bundle`], and how a signal ends a run.

mod exec;
mod graph;
pub mod interrupt;
mod on_demand;
mod progress;

use std::process::ExitCode;

use clap::Args;
pub use skills_call::Runner;
use skills_call::trace::TraceContext;
use skills_call::{CallError, CallOptions, ErrorKind, Layers, MissingCapability, Plan};
use skills_exec::{DEFAULT_TIMEOUT_TYPED, StderrLog, choose_timeout};
use skills_text::{cut, cut_start, shell_path};

use crate::arguments::{Workspace, name_file, read_input};
use crate::bundle::Bundle;
use crate::client::{missing_programs, own_spelling};
use crate::confined::Confined;
use crate::failure::Ended;
use crate::model::ModelArgs;
use crate::{failure, terminal};
pub use graph::Graph;
pub use on_demand::{OnDemand, PromptOnDemand};
use progress::CallProgress;

/// How many characters of a wrong answer of a model are shown.
const ANSWER: usize = 1_000;

/// How many characters of the standard error of programs are shown.
const WRITTEN: usize = 2_000;

#[derive(Debug, Args)]
pub struct Call {
    /// The name of the skill
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The input as JSON; `-` reads it from standard input [default: {}]
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub input: Option<String>,
    /// The time limit of each attempt: milliseconds, or `300ms`, `1.5s`, `5m`, `1h30m` [default: the limit that the
    /// skill sets, otherwise 30s]
    #[arg(long, value_name = "DUR", allow_hyphen_values = true)]
    pub timeout: Option<String>,
    #[command(flatten)]
    workspace: Workspace,
    #[command(flatten)]
    confined: Confined,
    /// Check the input and show the rendered prompt or the steps, without running anything
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    model: ModelArgs,
}

impl<'a> Bundle<'a> {
    /// Sets the runner that calls skills, such as `SKILLS.runner()` or `SKILLS.with(host)`. Without a runner,
    /// `call`, `mcp` and `serve` refuse to run.
    ///
    /// The runner knows its own skills and capabilities ([`Runner::grant`](skills_call::Runner::grant)). It
    /// works without the runtime of the program. Needs the feature `call`.
    pub fn runner<B>(mut self, runner: Runner<B>) -> Self {
        self.runner = Some(runner.untyped());
        self
    }
}

impl Call {
    /// Calls a skill of a program.
    pub(crate) fn run_in(&self, bundle: &Bundle<'_>) -> Ended {
        self.run(bundle.own_runner()?, true)
    }

    /// Calls the skill and prints its output. Prints the start and end of each step on standard error. `own`
    /// is `true` if a program set the policy of the runner.
    pub fn run(&self, runner: Runner, own: bool) -> Ended {
        let runner = self.confined.apply_to(runner, own)?;
        // Report an unknown name before waiting for standard input.
        let name = own_spelling(runner.skills(), &self.name).to_owned();
        let name = name.as_str();
        if let Some(reason) = distrust(runner.skills(), name) {
            return Err(failure::error(reason));
        }
        if runner.skills().get(name).is_none() {
            return Err(failure::not_found(&runner.skills().not_found(name)));
        }
        let runner = self.model.apply_to(runner)?;
        let input = read_input(self.input.as_deref())?.unwrap_or_else(|| "{}".to_owned());
        let timeout =
            self.timeout.as_deref().map(|given| choose_timeout(Some(given), None, DEFAULT_TIMEOUT_TYPED));
        let timeout = timeout.transpose().map_err(failure::error)?;
        if self.dry_run {
            let mut plan = runner.plan(name, &input).map_err(|error| self.failed(&error))?;
            mark_failing(&mut plan, &runner);
            return Ok(terminal::json(&format!("{:#}\n", plan.to_json())));
        }
        let steps = runner.plan(name, &input).map_or(0, |plan| plan.steps.len());
        let progress = CallProgress::new(steps);
        let written = StderrLog::default();
        let options = CallOptions::default()
            .workspace(self.workspace.path())
            .timeout(timeout)
            .trace(TraceContext::of_environment())
            .stderr_log(written.clone())
            .on_event(progress.observer());
        let done = interrupt::run(runner.call_text(name, input, options));
        progress.end();
        let called = done?.map_err(|signal| {
            self.failed(&CallError::Cancelled { skill: name.to_owned() });
            print_written(&written);
            signal.code()
        })?;
        let outcome = called.map_err(|error| {
            let code = self.failed(&error);
            if error.kind() == ErrorKind::Timeout {
                print_written(&written);
            }
            code
        })?;
        Ok(terminal::json(&format!("{}\n", outcome.output)))
    }

    /// Prints why a call has no output. If the answer of a model does not match the output schema, also prints
    /// the beginning of the answer, or the whole answer if the log shows every event (`-vv`).
    fn failed(&self, error: &CallError) -> ExitCode {
        if let CallError::NotFound(missing) = error {
            return failure::not_found(missing);
        }
        let next = match error.kind() {
            ErrorKind::InvalidInput => name_file(self.input.as_deref()),
            kind => next_step(kind == ErrorKind::NoModel).to_owned(),
        };
        let code = failure::error(format_args!("{error}{next}"));
        if let Some(answer) = error.answer() {
            let is_detailed = tracing::event_enabled!(target: "skills", tracing::Level::DEBUG);
            let shown = if is_detailed { answer.to_owned() } else { cut(answer, ANSWER) };
            format!("the model answered: {shown}").lines().for_each(terminal::line);
        }
        code
    }
}

/// Prints the end of what the programs of a call wrote to standard error before the call was ended.
fn print_written(written: &StderrLog) {
    let text = written.text();
    if !text.trim().is_empty() {
        let end = cut_start(text.trim(), WRITTEN);
        format!("its programs wrote to standard error: {end}").lines().for_each(terminal::line);
    }
}

/// Returns why a name must not be run: the skill is not trusted, or the name could also mean an untrusted
/// skill with a higher precedence.
pub fn distrust(layers: &Layers, name: &str) -> Option<String> {
    if let Some(untrusted) = layers.untrusted(name) {
        return Some(untrusted.to_string());
    }
    let untrusted = layers.outranked(name)?;
    let other = layers.get(name)?;
    Some(match layers.root(other) {
        Some(root) => {
            let root = shell_path(&root);
            format!("{untrusted}\nto run the other skill with this name, add `--dir {root}`")
        }
        None => format!(
            "{untrusted}\nthe other skill with this name, which is part of the program, is not run instead"
        ),
    })
}

/// Warns that a call, or one of its steps, would fail because nothing can run the skill. Such a step would not run. Also names
/// required programs that this machine does not have: without them, it is not known whether a step would run.
fn mark_failing(plan: &mut Plan, runner: &Runner) {
    let mut failing: Vec<String> = Vec::new();
    for step in plan.steps.iter_mut().filter(|step| step.would_run == Some(true)) {
        // A step after a failing one runs only if the pipeline continues after the failure.
        if step.after.iter().any(|before| failing.contains(before)) {
            step.would_run = None;
        }
        if runner.is_callable(&step.skill) {
            if let Some(lack) = lack_of_programs(runner, &step.skill) {
                terminal::note(format_args!("the step `{}` may fail: {lack}", step.step));
                step.would_run = None;
            }
            continue;
        }
        // A step over an empty list calls nothing.
        step.would_run = if step.is_foreach { None } else { Some(false) };
        let (name, skill) = (&step.step, &step.skill);
        terminal::note(format_args!(
            "the step `{name}` would fail: no program, model or function is available to run `{skill}`"
        ));
        failing.push(name.clone());
    }
    if let Err(missing) = &plan.backend {
        let next = next_step(missing.capability == MissingCapability::Model);
        terminal::note(format_args!("a call would fail: {missing}{next}"));
    } else if let Some(lack) = lack_of_programs(runner, &plan.skill) {
        terminal::note(format_args!("a call may fail: {lack}"));
    }
}

/// Returns the sentence that a skill requires programs that this machine does not have.
fn lack_of_programs(runner: &Runner, name: &str) -> Option<String> {
    let missing = missing_programs(runner.skills().get(name)?);
    let missing: Vec<String> = missing.into_iter().map(|program| format!("`{program}`")).collect();
    (!missing.is_empty()).then(|| format!("`{name}` requires {}, missing on PATH", missing.join(", ")))
}

/// Returns how to go on if a skill has no model.
fn next_step(needs_model: bool) -> &'static str {
    if needs_model { "; name one with `--model`" } else { "" }
}
