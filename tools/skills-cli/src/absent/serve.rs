//! `serve`, without the feature of that name.

use clap::Args;
use skills_commands::failure::Ended;

use crate::absent::Absent;
use crate::otlp::Otlp;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    rest: Absent,
}

impl Serve {
    pub(crate) fn run(&self) -> Ended {
        self.rest.refuse("serve")
    }

    /// Returns `None`, because nothing is called.
    pub(crate) fn otlp(&self) -> Option<&Otlp> {
        None
    }
}
