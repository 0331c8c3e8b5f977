//! `skills schema`: the JSON Schema of skill.json.

use std::process::ExitCode;

use clap::Args;
use skills_core::meta;

use crate::terminal;

/// The arguments of `skills schema`: none.
#[derive(Debug, Args)]
pub(crate) struct Schema {}

impl Schema {
    /// Prints the schema.
    ///
    /// # Errors
    /// None.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        terminal::exact(meta::SKILL);
        Ok(ExitCode::SUCCESS)
    }
}
