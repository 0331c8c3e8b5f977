//! `tools`: skills as tools, in the form of one interface.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use skills_registry::Skill;
use skills_runtime::at_hand::{self, AtHand, Lack, Missing};
use skills_schema::tools::{self, Definition, Tool, Unfit, define, schema_of};

use crate::filter::Wanted;
use crate::shelf::Shelf;
use crate::terminal;

/// The arguments of `tools`.
#[derive(Debug, Args)]
pub(crate) struct Tools {
    /// For which interface
    #[arg(long, value_enum)]
    format: Format,
    /// Include the skills that only a function of the host can run
    #[arg(long)]
    host: bool,
    #[command(flatten)]
    wanted: Wanted,
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

/// Why a skill is no tool.
enum Left {
    /// It is no function, or kept from models.
    Quietly,
    /// Nothing at hand can run it, or what it always calls (SPEC 6.2).
    Missing(Missing),
    /// Its schema file is no text.
    Unread,
    /// The interface would refuse it.
    Unfit(Unfit),
}

impl Tools {
    /// Prints the tools as a JSON array; what is left out for a reason the user may not know is told.
    pub(crate) fn run(&self, shelf: &Shelf<'_>) -> ExitCode {
        let filter = self.wanted.filter();
        let mut tools: Vec<String> = Vec::new();
        let granted = shelf.all().into_iter().filter(|item| !item.gated).map(|item| item.skill);
        for skill in granted.filter(|skill| filter.matches(*skill)) {
            match self.tool(shelf, skill) {
                Ok(tool) => tools.push(format!("\n  {}", tool.indented(1))),
                Err(left) => tell(skill, left),
            }
        }
        let end = if tools.is_empty() { "" } else { "\n" };
        terminal::data(&format!("[{}{end}]\n", tools.join(",")))
    }

    fn tool(&self, shelf: &Shelf<'_>, skill: Skill<'_>) -> Result<Definition, Left> {
        if skill.way().is_none() || !skill.is_model_invocable() {
            return Err(Left::Quietly);
        }
        at_hand::all(&Client { shelf, has_host: self.host }, skill).map_err(Left::Missing)?;
        let (file, input) = skill.input_document().ok_or(Left::Unread)?;
        let input = schema_of(skill, file, input);
        let output = skill.output_schema().map(|output| schema_of(skill, file, output));
        let tool = Tool {
            name: skill.name(),
            description: skill.description(),
            input: &input,
            output: output.as_ref(),
        };
        define(&tool, self.format.into()).map_err(Left::Unfit)
    }
}

/// A client that is given the tools: it has a model, and by `--host` a program that has every function.
struct Client<'c> {
    shelf: &'c Shelf<'c>,
    has_host: bool,
}

impl AtHand for Client<'_> {
    fn function(&self, name: &str) -> Option<Skill<'_>> {
        self.shelf.find(name).ok().map(|item| item.skill).filter(|skill| skill.way().is_some())
    }

    fn serves(&self, _: &str) -> bool {
        self.has_host
    }

    fn has_model(&self) -> bool {
        true
    }
}

fn tell(skill: Skill<'_>, left: Left) {
    let reason = match left {
        Left::Quietly => return,
        Left::Missing(Missing { skill: callee, lack: Lack::Code(mode) }) if callee == skill.name() => {
            let mode = mode.as_str();
            format!("({mode}) has no exec, so only a host function can run it; `--host` shows it")
        }
        Left::Missing(Missing { skill: callee, lack: Lack::Code(_) }) => {
            format!("calls `{callee}`, which only a host function can run; `--host` shows it")
        }
        Left::Missing(missing) => format!("is left out: each call would fail: {missing}"),
        Left::Unread => "is left out: its schema was not read".to_owned(),
        Left::Unfit(unfit) => format!("is left out: {unfit}"),
    };
    terminal::line(&format!("note: skill `{}` {reason}", skill.name()));
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
