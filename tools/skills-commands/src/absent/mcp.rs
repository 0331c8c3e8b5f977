//! `mcp`, without the feature of that name.

use clap::Args;

use crate::absent::Absent;
use crate::bundle::Bundle;
use crate::failure::Ended;
use crate::plugin::ServedBy;

#[derive(Debug, Args)]
#[command(hide = true)]
pub struct Channel {
    #[command(flatten)]
    rest: Absent,
}

impl Channel {
    pub fn run_in(&self, _: &Bundle<'_>) -> Ended {
        self.rest.refuse("mcp")
    }
}

/// Returns `None`, because the program has no server.
pub fn served_by(_: &Bundle<'_>) -> Option<ServedBy> {
    None
}
