//! `exec`: runs the program of one skill and prints the outcome.

use std::process::ExitCode;

use clap::Args;
use skills_exec::{Granted, NotRun, Outcome, Refusal, RunOptions, Sandbox};
use skills_runtime::layers::{Found, Layers};
use skills_text::shell_word;

use crate::arguments::{Workspace, name_file, read_input};
use crate::client::own_spelling;
use crate::confined::Confined;
use crate::embedded::command_line_before;
use crate::failure::Ended;
use crate::{failure, terminal};

#[derive(Debug, Args)]
pub struct Exec {
    /// The name of the skill
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The input of the program as JSON; `-` reads it from standard input
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    input: Option<String>,
    /// The time limit: milliseconds, or `300ms`, `1.5s`, `5m`, `1h30m` [default: the limit that the skill sets,
    /// otherwise 30s for a skill with a skill.json, and 5m for any other]
    #[arg(long, value_name = "DUR", allow_hyphen_values = true)]
    pub(crate) timeout: Option<String>,
    #[command(flatten)]
    pub(crate) workspace: Workspace,
    #[command(flatten)]
    pub(crate) confined: Confined,
}

impl Exec {
    /// Runs the program of a skill with the options of this process, because no runner is available.
    /// Otherwise works like [`run`](Self::run).
    pub fn run_alone(&self, layers: &Layers) -> Ended {
        let mut options = RunOptions::of_process();
        options.confinement = self.confined.change(std::mem::take(&mut options.confinement), false)?;
        let name = own_spelling(layers, &self.name);
        let Some(found) = layers.locate(name) else {
            return Err(failure::not_found(&layers.not_found(name)));
        };
        let input = self.input(found.skill.program().is_some())?;
        (options.timeout, options.workspace) = (self.timeout.clone(), self.workspace.path());
        options.directory = found.directory();
        self.run_found(layers, found, input, &options)
    }

    /// Returns `true` if the user asked for a sandbox.
    pub fn is_confined(&self) -> bool {
        self.confined.is_required()
    }

    /// Runs the program of a skill that is not trusted. It has its own files and a temporary directory, and nothing else,
    /// whatever its skill asks for.
    pub fn run_untrusted(&self, layers: &Layers, found: Found<'_>) -> Ended {
        let mut options = RunOptions::of_process();
        options.confinement = self.confined.change(std::mem::take(&mut options.confinement), false)?;
        let mut sandbox = Sandbox::default();
        sandbox.granted = Some(Granted::default());
        options.sandbox = Some(sandbox);
        options.trusted = false;
        let input = self.input(found.skill.program().is_some())?;
        (options.timeout, options.workspace) = (self.timeout.clone(), self.workspace.path());
        options.directory = found.directory();
        self.run_found(layers, found, input, &options)
    }

    /// Reads the input. Refuses a skill without a program before waiting for standard input.
    pub(crate) fn input(&self, has_program: bool) -> Result<String, ExitCode> {
        Ok(if has_program { read_input(self.input.as_deref())?.unwrap_or_default() } else { String::new() })
    }

    /// Prints why a program was not run.
    pub(crate) fn refused(&self, reason: &NotRun) -> ExitCode {
        let command = command_line_before("exec");
        failure::error(match reason {
            NotRun::NoInput { .. } => format!("{reason}: pass it with `--input`"),
            NotRun::InvalidInput { .. } => format!("{reason}{}", name_file(self.input.as_deref())),
            NotRun::Refused(Refusal::NotExecutable { name, has_document: true, .. }) => format!(
                "`{name}` is a text: an agent reads it\n`{command} show {}` prints it, and `skills new NAME --exec sh` makes a \
                 program",
                shell_word(name)
            ),
            NotRun::Refused(Refusal::NotExecutable { name, .. }) => format!(
                "`{name}` is a function without a program\n`{command} call {}` calls it, unless only another program has its \
                 method",
                shell_word(name)
            ),
            NotRun::Refused(Refusal::NoCanonicalEntryPoint { name }) => format!(
                "`{name}` has scripts, but its SKILL.md does not say which one to run\nadd `exec: FILE` to its frontmatter"
            ),
            reason => reason.to_string(),
        })
    }
}

/// Prints the outcome of a program that ended. If the program succeeded and its skill has a schema of the output, also says
/// what does not match: a call would refuse such an output.
pub(crate) fn print_ended(outcome: &Outcome, layers: &Layers) -> ExitCode {
    let code = print(outcome);
    if outcome.exit_code == 0
        && let Some(function) = layers.function(&outcome.name)
        && let Err(invalid) = function.check_output(&outcome.stdout)
    {
        terminal::warning(format_args!(
            "the output does not match skill.json, so a call would fail\n{invalid}"
        ));
    }
    code
}

pub(crate) fn print(outcome: &Outcome) -> ExitCode {
    match terminal::json(&format!("{}\n", outcome.to_json())) {
        ExitCode::SUCCESS => ExitCode::from(u8::try_from(outcome.exit_code).unwrap_or(1)),
        unwritten => unwritten,
    }
}
