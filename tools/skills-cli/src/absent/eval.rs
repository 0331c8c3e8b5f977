//! `eval`, without the feature of that name.

use clap::Args;
use skills_commands::failure::Ended;

use crate::absent::Absent;

#[derive(Debug, Args)]
pub(crate) struct Eval {
    #[command(flatten)]
    rest: Absent,
}

impl Eval {
    pub(crate) fn run(&self) -> Ended {
        self.rest.refuse("eval")
    }
}
