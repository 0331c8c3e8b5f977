//! `version`: prints the exact bundle of skills in a program.

use std::process::ExitCode;

use clap::Args;
use skills_registry::Registry;
use skills_text::visible;

use crate::terminal;

#[derive(Debug, Args)]
pub(crate) struct Version {
    /// Also print the number of skills and a digest of all their files
    #[arg(short, long)]
    verbose: bool,
}

impl Version {
    /// Prints the name of the program, its version if it has one, and with `--verbose` its bundle.
    pub(crate) fn run(&self, registry: &Registry, name: &str, version: Option<&str>) -> ExitCode {
        let mut out = visible(name);
        if let Some(version) = version {
            out.push_str(&format!(" {}", visible(version)));
        }
        out.push('\n');
        if self.verbose {
            let digest =
                registry.digest_hex().map_or_else(|| "unknown".to_owned(), |hex| format!("sha256:{hex}"));
            out.push_str(&format!("skills: {}\nbundle: {digest}\n", registry.len()));
        }
        terminal::text(&out)
    }
}
