//! Arguments become the model that grades what code cannot (SPEC 16.12).

use clap::Args;
use skills_runtime::eval::Trial;

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
    /// Gives a trial the judge. Nothing is sent.
    ///
    /// # Errors
    /// The name says no provider, the URL is none, or there is no key.
    #[cfg(feature = "model")]
    pub(crate) fn give(&self, trial: Trial) -> Result<Trial, String> {
        let Some(judge) = &self.judge else { return Ok(trial) };
        let client = crate::model::client(judge, self.judge_base_url.as_deref());
        Ok(trial.judge(client.map_err(|reason| reason.trim_start_matches("error: ").to_owned())?))
    }

    /// Returns the trial as it is.
    ///
    /// # Errors
    /// None.
    #[cfg(not(feature = "model"))]
    pub(crate) fn give(&self, trial: Trial) -> Result<Trial, String> {
        Ok(trial)
    }
}
