//! `pin`, without the feature `mcp`.

use std::process::ExitCode;

use clap::Args;
use skills_commands::failure::Ended;
use skills_commands::terminal;

use crate::absent::{Absent, lack};

#[derive(Debug, Args)]
pub(crate) struct Pin {
    #[command(flatten)]
    _rest: Absent,
}

impl Pin {
    pub(crate) fn run(&self) -> Ended {
        Err::<ExitCode, _>(terminal::usage(lack("`skills pin`", "mcp")))
    }
}
