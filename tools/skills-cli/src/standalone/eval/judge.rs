//! The arguments that name the model that grades outputs which code cannot check.

use std::process::ExitCode;

use clap::Args;
use skills_eval::Trial;

/// Which model grades; without the feature `model` there are no arguments, and what was recorded grades alone.
#[derive(Debug, Args)]
#[command(next_help_heading = "Judge")]
pub(crate) struct Judge {
    /// The model that grades assertions in prose and rubrics; named as `--model`. Without one they are not graded
    #[cfg(feature = "model")]
    #[arg(long, value_name = "MODEL")]
    judge: Option<String>,
    /// Where the judge is
    #[cfg(feature = "model")]
    #[arg(long, value_name = "URL", requires = "judge")]
    judge_base_url: Option<String>,
}

impl Judge {
    /// Sets the judge of a trial if the arguments name one. Sends no request.
    pub(crate) fn give(&self, trial: Trial) -> Result<Trial, ExitCode> {
        #[cfg(feature = "model")]
        if let Some(judge) = &self.judge {
            return Ok(trial.judge(crate::model::client(judge, self.judge_base_url.as_deref())?));
        }
        Ok(trial)
    }
}
