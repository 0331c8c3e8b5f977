//! The model that grades outputs, without the feature `model`.

use std::process::ExitCode;

use clap::Args;
use skills_commands::terminal;
use skills_eval::Trial;

use crate::absent::missing_feature;

/// The options, which are hidden.
#[derive(Debug, Args)]
pub(crate) struct Judge {
    #[arg(long, hide = true)]
    judge: Option<String>,
    #[arg(long, hide = true)]
    judge_base_url: Option<String>,
}

impl Judge {
    /// Returns the trial unchanged, or prints an error if an option is set.
    pub(crate) fn give(&self, trial: Trial) -> Result<Trial, ExitCode> {
        match (&self.judge, &self.judge_base_url) {
            (None, None) => Ok(trial),
            _ => Err(terminal::usage(missing_feature("`--judge`", "model"))),
        }
    }
}
