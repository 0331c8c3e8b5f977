//! `skills completions`: what a shell completes of the command.

use std::process::ExitCode;

use clap::Args;
use clap_complete::{Shell, generate};

use crate::terminal;

/// The arguments of `skills completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    /// Prints the script that the shell is to read.
    pub(crate) fn run(&self) -> ExitCode {
        let mut script = Vec::new();
        generate(self.shell, &mut super::command(), "skills", &mut script);
        terminal::exact(&String::from_utf8_lossy(&script))
    }
}
