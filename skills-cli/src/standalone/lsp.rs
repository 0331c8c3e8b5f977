//! `skills lsp`: the language server, for editors (SPEC 17.10).

use std::process::ExitCode;

use clap::Args;

use crate::terminal;

/// The arguments of `skills lsp`.
#[derive(Debug, Args)]
pub(crate) struct Lsp {
    /// Speak on standard input and output, which is the only way; editors may say so
    #[arg(long)]
    stdio: bool,
}

impl Lsp {
    /// Serves until the editor says goodbye.
    pub(crate) fn run(&self) -> ExitCode {
        match skills_lsp::stdio() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                terminal::line(&format!("error: the editor is gone: {error}"));
                ExitCode::FAILURE
            }
        }
    }
}
