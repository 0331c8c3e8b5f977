//! Runs the `skills` command as a cargo subcommand: `cargo skills check`.

use std::process::ExitCode;

fn main() -> ExitCode {
    skills_cli::main_of_cargo()
}
