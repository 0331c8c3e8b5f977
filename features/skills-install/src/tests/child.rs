//! Runs a job in a separate process: this test program, which gets the job in its environment.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{hostile, kill, together};

const JOB: &str = "SKILLS_INSTALL_JOB";
const TARGET: &str = "SKILLS_INSTALL_TARGET";
const NUMBER: &str = "SKILLS_INSTALL_NUMBER";

/// Creates the command for a job.
pub(super) fn command(job: &str, target: &Path, number: usize) -> Command {
    command_of(&std::env::current_exe().unwrap(), job, target, number)
}

/// Creates the command for a job of a copy of this test program.
pub(super) fn command_of(program: &Path, job: &str, target: &Path, number: usize) -> Command {
    let mut command = Command::new(program);
    command.args(["--exact", "tests::child::runs_a_job_on_request", "--include-ignored", "--test-threads=1"]);
    command.env(JOB, job).env(TARGET, target).env(NUMBER, number.to_string());
    command.stdout(std::process::Stdio::null());
    command
}

#[test]
#[ignore = "another test runs it in a separate process"]
fn runs_a_job_on_request() {
    let (Ok(job), Some(target)) = (std::env::var(JOB), std::env::var_os(TARGET).map(PathBuf::from)) else {
        return;
    };
    let number = std::env::var(NUMBER).unwrap().parse().unwrap();
    match job.as_str() {
        together::JOB => together::child(&target, number),
        hostile::JOB => hostile::child(&target),
        scenario => kill::child(scenario, &target, number),
    }
}
