//! `--otlp`, without the feature of that name.

use clap::Args;
use skills_call::Runner;

use crate::absent::missing_feature;
use crate::verbose::Part;

/// The option, which is hidden.
#[derive(Debug, Args)]
pub(crate) struct Otlp {
    #[arg(long, hide = true)]
    otlp: Option<String>,
}

/// Replaces the trace export, which this build does not contain.
pub(crate) enum Exporting {}

impl Otlp {
    /// Returns `None`, or an error if the option is set.
    pub(crate) fn start(&self) -> Result<Option<(Exporting, Vec<Part>)>, String> {
        if self.otlp.is_some() { Err(missing_feature("`--otlp`", "otlp")) } else { Ok(None) }
    }

    #[expect(clippy::unused_self, reason = "the real function has the same signature")]
    pub(crate) fn give(&self, runner: Runner) -> Runner {
        runner
    }
}
