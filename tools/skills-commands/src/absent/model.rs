//! `--model` and `--base-url`, without the feature `model`.

use std::process::ExitCode;

use clap::Args;

use crate::absent::refuse;
use crate::call::Runner;

/// The options, which are hidden.
#[derive(Debug, Args)]
pub struct ModelArgs {
    #[arg(long, hide = true)]
    model: Option<String>,
    #[arg(long, hide = true)]
    base_url: Option<String>,
}

impl ModelArgs {
    /// Returns the runner unchanged, or prints an error if an option is set.
    pub fn apply_to(&self, runner: Runner) -> Result<Runner, ExitCode> {
        match (&self.model, &self.base_url) {
            (None, None) => Ok(runner),
            _ => Err(refuse("`--model` and `--base-url`", "model")),
        }
    }
}
