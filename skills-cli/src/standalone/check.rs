//! `skills check`: every problem of a directory, in the form the reader wants.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use skills_core::diagnostic::{Level, Levels, Profile};
use skills_core::load;
use skills_core::options::Options;
use skills_core::print::{github, json, sarif, text};

use super::source::Source;
use crate::terminal;

/// The arguments of `skills check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    source: Source,
    /// How to print the problems
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Judge by the open Agent Skills standard alone
    #[arg(long)]
    standard: bool,
    /// Make a rule an error (repeatable)
    #[arg(long, value_name = "RULE")]
    deny: Vec<String>,
    /// Make a lint a warning (repeatable)
    #[arg(long, value_name = "RULE")]
    warn: Vec<String>,
    /// Do not report a lint (repeatable)
    #[arg(long, value_name = "RULE")]
    allow: Vec<String>,
}

/// How problems are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// With the lines they are in, as rustc does
    Text,
    /// One JSON object a line
    Json,
    /// Annotations of a GitHub workflow
    Github,
    /// SARIF 2.1.0, for code scanning services
    Sarif,
}

impl Check {
    /// Checks the directory and prints the report.
    ///
    /// # Errors
    /// Two directories are given, or a rule is named that does not exist, or that cannot be lowered.
    pub(crate) fn run(mut self) -> Result<ExitCode, String> {
        if let Some(other) = self.source.take_other() {
            return Err(format!(
                "one directory is checked: `--dir` names it, so what is {}?",
                other.display()
            ));
        }
        let options = self.options()?;
        let loaded = load(&self.source.path(), &self.source.label(), &options);
        let (report, sources) = (&loaded.report, loaded.catalog.sources());
        let written = match self.format {
            Format::Text => {
                let style = if terminal::has_colours() { text::Style::Ansi } else { text::Style::Plain };
                let written = terminal::data(&text::print_styled(report, sources, style));
                match report.diagnostics.is_empty() {
                    true => terminal::problem(&match loaded.catalog.skills().len() {
                        1 => "1 skill, no problems".to_owned(),
                        count => format!("{count} skills, no problems"),
                    }),
                    false => terminal::problem(&text::summary(report, sources)),
                }
                written
            }
            Format::Json => terminal::data(&json::print(report, sources)),
            Format::Github => terminal::data(&github::print(report, sources)),
            Format::Sarif => terminal::data(&sarif::print(report, sources)),
        };
        let code = if report.errors() > 0 { ExitCode::FAILURE } else { written };
        // The process ends here: the system frees ten thousand skills at once, and faster.
        std::mem::forget(loaded);
        Ok(code)
    }

    fn options(&self) -> Result<Options, String> {
        let mut levels = Levels::default();
        for (names, level) in
            [(&self.allow, Level::Allow), (&self.warn, Level::Warning), (&self.deny, Level::Error)]
        {
            names.iter().try_for_each(|name| levels.set(name, level))?;
        }
        let profile = if self.standard { Profile::Standard } else { Profile::Bundle };
        Ok(Options { profile, levels, ..Options::default() })
    }
}
