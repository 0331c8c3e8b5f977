//! `skills explain`: what a rule is about.

use std::process::ExitCode;

use clap::Args;
use skills_core::print::explain;
use skills_core::rule;

use crate::terminal;

/// The arguments of `skills explain`.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The rule, as reports name it: `name-mismatch`, or `skills::name-mismatch`
    #[arg(value_name = "CODE")]
    code: String,
}

impl Explain {
    /// Prints the explanation.
    ///
    /// # Errors
    /// No rule has that name.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        let rule = rule::named(&self.code)?;
        Ok(terminal::data(&explain::print(rule)))
    }
}
