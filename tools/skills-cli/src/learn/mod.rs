//! `skills learn`: runs the program of a skill under observation, and prints the permissions that it needs.

mod add;
mod inputs;

use std::process::ExitCode;

use clap::Args;
use skills_call::Runner;
use skills_exec::{Confine, ExecOptions, Outcome};
use skills_learn::{Access, Learner, Observed, print};

use super::source::{Directories, Skills};
use skills_commands::call::{distrust, interrupt};
use skills_commands::confined::Confined;
use skills_commands::exec::refused;
use skills_commands::failure::{self, Ended};
use skills_commands::output::{Output, versioned};
use skills_commands::terminal;
use skills_commands::workspace::Workspace;

#[derive(Debug, Args)]
#[command(mut_arg("sandbox", |sandbox| sandbox.help(SANDBOX)))]
pub(crate) struct Learn {
    #[command(flatten)]
    skills: Directories,
    /// The name of the skill
    #[arg(value_name = "NAME")]
    name: String,
    /// The input of the program as JSON; `-` reads it from standard input [default: each file `examples/*.json` of the
    /// skill, or no input]
    #[arg(long, value_name = "JSON", allow_hyphen_values = true, conflicts_with = "evals")]
    input: Option<String>,
    /// Run the program once with the input of each evaluation case
    #[arg(long)]
    evals: bool,
    /// Add the permissions that the skill does not request yet to its skill.json or SKILL.md
    #[arg(long)]
    write: bool,
    /// The time limit of each run: milliseconds, or `300ms`, `1.5s`, `5m` [default: the limit that the skill sets]
    #[arg(long, value_name = "DUR", allow_hyphen_values = true)]
    timeout: Option<String>,
    #[command(flatten)]
    workspace: Workspace,
    #[command(flatten)]
    confined: Confined,
    #[command(flatten)]
    output: Output,
}

/// The help of `--sandbox`, whose default differs from that of the other commands.
const SANDBOX: &str = "Confine the program as `exec` does, and suggest the rights that it lacks [default: it may read \
    everything, write to the workspace and its temporary directory, and use the network]";

impl Learn {
    /// Runs the program, and prints the permissions.
    pub(crate) fn run(&self) -> Ended {
        if let Some(lack) = Learner::unavailable() {
            return Err(failure::error(format!("this system cannot observe programs: {lack}")));
        }
        let runner = Runner::from(self.skills.read_for(Some(&self.name))?);
        if let Some(reason) = distrust(runner.skills(), &self.name) {
            return Err(failure::error(format!("not_trusted: {reason}")));
        }
        let Some(skill) = runner.skills().skill(&self.name) else {
            return Err(failure::not_found(&runner.skills().not_found(&self.name)));
        };
        let directory = runner.skills().directory(skill).unwrap_or_default();
        if skill.program().is_none() {
            return Err(failure::error(format!("the skill `{}` has no program", self.name)));
        }
        let inputs = match (&self.input, self.evals) {
            (Some(_), _) => vec![inputs::given(self.input.as_deref())?],
            (None, true) => inputs::of_evals(runner.skills(), &self.name)?,
            (None, false) => inputs::of_examples(&directory)?,
        };
        let runner = self.confined.give(runner, false)?;
        let access = if self.confined.is_chosen() { Access::Policy } else { Access::Read };
        let runner = match access {
            Access::Read => runner.change_confinement(|policy| policy.confine(Confine::Require)),
            Access::Policy => runner,
        };
        let learner = Learner::new(access, std::env::vars_os());
        let runner = runner.executor(learner.clone());
        let mut is_whole = true;
        for (label, input) in inputs {
            learner.label(&*label);
            let options =
                ExecOptions::default().timeout(self.timeout.clone()).workspace(self.workspace.path());
            let run = interrupt::run(async { runner.exec(&self.name, input, options).await })?;
            let outcome = run.map_err(|signal| signal.code())?.map_err(|reason| refused(&reason))?;
            is_whole &= outcome.exit_code == 0;
            print_failure(&label, &outcome);
        }
        let observed = learner.observed();
        let written = self.print(&observed);
        if self.write {
            for skill in &observed {
                add::permissions(&directory, skill)?;
            }
        }
        Ok(if is_whole { written } else { ExitCode::FAILURE })
    }

    fn print(&self, observed: &[Observed]) -> ExitCode {
        if self.output.is_json() {
            return terminal::json(&versioned([("skills", print(observed))]));
        }
        let mut text = String::new();
        for skill in observed {
            text.push_str(&skill.permissions.to_json());
            text.push('\n');
            print_skill(skill);
        }
        terminal::json(&text)
    }
}

/// Reports a run that failed. The program may need more rights than it had.
fn print_failure(label: &str, outcome: &Outcome) {
    if outcome.exit_code == 0 {
        return;
    }
    let error = if outcome.error.is_empty() { String::new() } else { format!(" ({})", outcome.error) };
    terminal::warning(format_args!(
        "{label}: the program failed with exit code {}{error}, so it may need more permissions",
        outcome.exit_code
    ));
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    lines.iter().skip(lines.len().saturating_sub(5)).for_each(|line| terminal::line(&format!("  {line}")));
}

/// Prints how each right was used first, and what was refused.
fn print_skill(skill: &Observed) {
    for used in &skill.uses {
        let (key, value) = (used.right.key(), &used.value);
        terminal::status(&format!("{key} `{value}`: in {}, it {}", used.run, used.done()));
    }
    for denied in &skill.denied {
        let (key, value) = (denied.right.key(), &denied.value);
        let advice = match denied.right.key() {
            "env" => format!("pass it with `--env {value}`, or add \"{value}\" to `env`"),
            _ => format!("add \"{value}\" to `{key}`"),
        };
        terminal::note(format_args!("it tried to {}: {advice}", denied.action()));
    }
    for note in &skill.notes {
        terminal::note(note);
    }
    let programs: Vec<&str> = skill.programs.keys().map(String::as_str).collect();
    terminal::status(&format!("started: {}", programs.join(", ")));
}
