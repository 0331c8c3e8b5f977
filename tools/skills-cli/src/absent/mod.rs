//! The commands and options that this build does not contain. Their replacements say how to get the real ones.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;
use skills_commands::failure::Ended;
use skills_commands::terminal;

/// The arguments of a command that this build does not contain. All arguments are accepted.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Absent {
    #[arg(id = "absent", hide = true, num_args = 0.., allow_hyphen_values = true, trailing_var_arg = true)]
    rest: Vec<OsString>,
}

impl Absent {
    /// Prints that this build lacks a command, and returns exit code 2.
    pub(crate) fn refuse(&self, command: &str) -> Ended {
        let lack = lack(&format!("`skills {command}`"), command);
        Err::<ExitCode, _>(terminal::usage(lack))
    }
}

/// Says that this build lacks something, and how to get it.
pub(crate) fn lack(what: &str, feature: &str) -> String {
    format!("{what} is not part of this build; `cargo install cargo-skills --features {feature}` adds it")
}
