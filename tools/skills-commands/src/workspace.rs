//! The `--workspace` option of the commands that run programs.

use std::path::PathBuf;

use clap::Args;

use crate::home;

/// Where programs run.
#[derive(Debug, Args)]
pub struct Workspace {
    /// The working directory of programs [default: the current directory]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

impl Workspace {
    /// Returns the directory as an absolute path, so that the program receives a path that does not depend on
    /// its current directory.
    pub fn path(&self) -> Option<PathBuf> {
        let dir = home::path(self.workspace.as_deref()?);
        Some(std::path::absolute(&dir).unwrap_or(dir))
    }
}
