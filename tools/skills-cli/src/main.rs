//! The `skills` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    skills_cli::main()
}
