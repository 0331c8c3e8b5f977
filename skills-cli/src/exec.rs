//! `exec`: the program of one skill is run, and what came of it printed (SPEC 7.1 to 7.4).

use std::process::ExitCode;

use clap::Args;
use skills_runtime::exec::{NotRun, RunOptions, run_skill};

use crate::shelf::{Item, Shelf};
use crate::workspace::Workspace;
use crate::{failure, input, terminal};

/// The arguments of `exec`.
#[derive(Debug, Args)]
pub(crate) struct Exec {
    /// The skill
    #[arg(value_name = "NAME")]
    name: String,
    /// What the program reads on its standard input; `-` passes on that of this command
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    input: Option<String>,
    /// How long it may run: milliseconds, or `300ms`, `1.5s`, `5m`, `1h30m` [default: what the skill says, else 5m, or
    /// 30s with a skill.json]
    #[arg(long, value_name = "DUR", allow_hyphen_values = true)]
    timeout: Option<String>,
    #[command(flatten)]
    workspace: Workspace,
}

impl Exec {
    /// Runs the program, prints the JSON of the outcome, and passes on the exit code.
    pub(crate) fn run(&self, shelf: &Shelf<'_>) -> ExitCode {
        match shelf.find(&self.name) {
            Ok(item) => self.start(&item).unwrap_or_else(|reason| failure::told(&reason)),
            Err(missing) => failure::not_found(&missing),
        }
    }

    /// Runs the program, or says why there is none.
    fn start(&self, item: &Item<'_>) -> Result<ExitCode, String> {
        let options = RunOptions {
            timeout: self.timeout.clone(),
            directory: item.directory.clone(),
            workspace: self.workspace.path(),
            ..RunOptions::of_process()
        };
        // A skill without a program is refused before anything is waited for on standard input.
        let input = match item.skill.program() {
            Some(_) => input::read(self.input.as_deref())?.unwrap_or_default(),
            None => String::new(),
        };
        let outcome = run_skill(item.skill, input, &options).map_err(|reason| match reason {
            NotRun::NoInput { .. } => format!("{reason}: give it by --input"),
            reason => reason.to_string(),
        })?;
        Ok(match terminal::data(&format!("{}\n", outcome.to_json())) {
            ExitCode::SUCCESS => ExitCode::from(u8::try_from(outcome.exit_code).unwrap_or(1)),
            unwritten => unwritten,
        })
    }
}
