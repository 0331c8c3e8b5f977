//! `mcp`, without the feature of that name.

use clap::Args;
use skills_commands::failure::Ended;
use skills_commands::plugin::ServedBy;

use crate::absent::Absent;
use crate::otlp::Otlp;

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    #[command(flatten)]
    rest: Absent,
}

impl Mcp {
    pub(crate) fn run(&self) -> Ended {
        self.rest.refuse("mcp")
    }

    /// Returns `None`, because nothing is called.
    pub(crate) fn otlp(&self) -> Option<&Otlp> {
        None
    }
}

/// Returns `None`, because this build has no server.
pub(crate) fn served_by() -> Option<ServedBy> {
    None
}
