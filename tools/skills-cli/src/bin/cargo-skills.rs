//! The same command, as cargo runs it: `cargo skills check`.

use std::process::ExitCode;

fn main() -> ExitCode {
    skills_cli::main_of_cargo()
}
