//! Version 1 of the program.

use std::process::ExitCode;

fn main() -> ExitCode {
    mytool::run::<mytool::one::Arguments>(&mytool::one::SKILLS)
}
