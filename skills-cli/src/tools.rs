//! `skills tools`: the skills of a directory as tools, in the form of one interface.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use skills_core::catalog::Skill;
use skills_core::tools::{Host, Left, define};
use skills_schema::tools;

use crate::source::Source;
use crate::terminal;

/// The arguments of `skills tools`.
#[derive(Debug, Args)]
pub(crate) struct Tools {
    #[command(flatten)]
    source: Source,
    /// For which interface
    #[arg(long, value_enum)]
    format: Format,
    /// Include the skills that only a function of the host can run
    #[arg(long)]
    host: bool,
}

/// The interfaces (SPEC 6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Chat completions of OpenAI
    Openai,
    /// Responses of OpenAI, with `strict` where a schema allows it
    OpenaiResponses,
    /// Messages of Anthropic
    Anthropic,
    /// Model Context Protocol
    Mcp,
    /// Function declarations of Gemini
    Gemini,
}

impl Tools {
    /// Prints the tools as a JSON array; what is left out for a reason the user may not know is told.
    ///
    /// # Errors
    /// None: a directory that cannot be read is told and ends with exit code 1.
    pub(crate) fn run(self) -> Result<ExitCode, String> {
        let loaded = self.source.load_contents();
        if Source::is_unreadable(&loaded) {
            return Ok(ExitCode::FAILURE);
        }
        let host = if self.host { Host::Program } else { Host::None };
        let mut tools: Vec<String> = Vec::new();
        for skill in loaded.catalog.skills().iter().filter(|skill| !skill.is_gated()) {
            match define(&loaded.catalog, skill, self.format.into(), host) {
                Ok(tool) => tools.push(format!("\n  {}", tool.indented(1))),
                Err(left) => tell(skill, left),
            }
        }
        let end = if tools.is_empty() { "" } else { "\n" };
        terminal::data(&format!("[{}{end}]\n", tools.join(",")));
        Ok(ExitCode::SUCCESS)
    }
}

fn tell(skill: &Skill, left: Left) {
    let mode = skill.signature.as_ref().map_or("", |signature| signature.mode.as_str());
    let reason = match left {
        Left::NoFunction | Left::Hidden => return,
        Left::NoHost => {
            format!("({mode}) has no exec, so only a host function can run it; `--host` shows it")
        }
        Left::Unread => "is left out: its schema was not read".to_owned(),
        Left::Unfit(unfit) => format!("is left out: {unfit}"),
    };
    terminal::problem(&format!("note: skill `{}` {reason}", skill.name));
}

impl From<Format> for tools::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Openai => Self::OpenAi,
            Format::OpenaiResponses => Self::OpenAiResponses,
            Format::Anthropic => Self::Anthropic,
            Format::Mcp => Self::Mcp,
            Format::Gemini => Self::Gemini,
        }
    }
}
