//! `serve`, without the feature of that name.

use clap::Args;

use crate::absent::Absent;
use crate::bundle::Bundle;
use crate::failure::Ended;

#[derive(Debug, Args)]
#[command(hide = true)]
pub struct Listener {
    #[command(flatten)]
    rest: Absent,
}

impl Listener {
    pub fn run_in(&self, _: &Bundle<'_>) -> Ended {
        self.rest.refuse("serve")
    }
}
