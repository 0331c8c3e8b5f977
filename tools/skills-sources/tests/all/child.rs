//! Runs a job in a separate process: this test program, which reads the job from its environment.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{kill, together};

const JOB: &str = "SKILLS_SOURCES_JOB";
const TOP: &str = "SKILLS_SOURCES_TOP";
const NUMBER: &str = "SKILLS_SOURCES_NUMBER";

/// Returns the command for a job.
pub(crate) fn command(job: &str, top: &Path, number: usize) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "child::runs_a_job", "--include-ignored", "--test-threads=1"]);
    command.env(JOB, job).env(TOP, top).env(NUMBER, number.to_string()).stdout(Stdio::null());
    command
}

#[test]
#[ignore = "another test runs it in a separate process"]
fn runs_a_job() {
    let (Ok(job), Some(top)) = (std::env::var(JOB), std::env::var_os(TOP).map(PathBuf::from)) else { return };
    let number = std::env::var(NUMBER).unwrap().parse().unwrap();
    match job.as_str() {
        together::JOB => together::child(&top, number),
        scenario => kill::child(scenario, &top, number),
    }
}
