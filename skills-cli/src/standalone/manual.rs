//! `skills manual`: the manual pages of the command, one for each command of it.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::failure;

/// The arguments of `skills manual`.
#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// The directory that they are written to, made when it is not there
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

impl Manual {
    /// Writes the pages.
    pub(crate) fn run(&self) -> ExitCode {
        let written =
            fs::create_dir_all(&self.to).and_then(|()| clap_mangen::generate_to(super::command(), &self.to));
        match written {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failure::told(&format!("error: {}: {error}", self.to.display())),
        }
    }
}
