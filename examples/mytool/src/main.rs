//! Version 2 of the program.

use std::process::ExitCode;

fn main() -> ExitCode {
    mytool::run::<mytool::two::Arguments>(&mytool::two::SKILLS)
}
