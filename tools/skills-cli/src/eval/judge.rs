//! The arguments that name the model that grades outputs which code cannot check.

use std::process::ExitCode;

use clap::Args;
use skills_eval::Trial;

/// The model that grades.
#[derive(Debug, Args)]
#[command(next_help_heading = "Judge")]
pub(crate) struct Judge {
    /// The model that grades assertions in prose and rubrics, named as for `--model` [default: do not grade them]
    #[arg(long, value_name = "MODEL")]
    judge: Option<String>,
    /// The address of the judge, as for `--base-url`
    #[arg(long, value_name = "URL", requires = "judge")]
    judge_base_url: Option<String>,
}

impl Judge {
    /// Sets the judge of a trial if the arguments name one. Sends no request.
    pub(crate) fn give(&self, trial: Trial) -> Result<Trial, ExitCode> {
        if let Some(judge) = &self.judge {
            return Ok(trial.judge(skills_commands::model::client(judge, self.judge_base_url.as_deref())?));
        }
        Ok(trial)
    }
}
