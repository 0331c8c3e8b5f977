//! The `--workspace` of the commands that run programs (SPEC 7.1).

use std::path::PathBuf;

use clap::Args;

use crate::home;

/// Where programs run.
#[derive(Debug, Args)]
pub(crate) struct Workspace {
    /// Where programs run [default: the current directory]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

impl Workspace {
    /// Returns the directory, absolute: what a program is told must not depend on where it looks from.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        let dir = home::path(self.workspace.as_deref()?);
        Some(std::path::absolute(&dir).unwrap_or(dir))
    }
}
