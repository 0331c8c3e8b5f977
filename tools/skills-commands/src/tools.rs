//! `tools`: prints skills as tool definitions for one interface.

use std::process::ExitCode;

use clap::Args;
use skills_registry::{Skill, ToolFormat};
use skills_runtime::capabilities::{Missing, MissingCapability};
use skills_runtime::tools::{Exclusion, definition_of};
use skills_schema::json::make::string;
use skills_schema::json::{self, Node};

use crate::arguments::{FilterArgs, named, one_of};
use crate::client::Client;
use crate::terminal;

#[derive(Debug, Args)]
pub struct Tools {
    /// The model API for which the definitions are
    #[arg(long, value_name = "FORMAT", value_parser = one_of(named(FORMATS, ToolFormat::as_str)))]
    format: ToolFormat,
    /// Also print skills that only a function of the host program can run
    #[arg(long)]
    host: bool,
    #[command(flatten)]
    wanted: FilterArgs,
}

const FORMATS: [(ToolFormat, &str); 5] = [
    (ToolFormat::OpenAi, "OpenAI Chat Completions"),
    (ToolFormat::OpenAiResponses, "OpenAI Responses, with `strict` where the schema allows it"),
    (ToolFormat::Anthropic, "Anthropic Messages"),
    (ToolFormat::Mcp, "Model Context Protocol"),
    (ToolFormat::Gemini, "Gemini function declarations"),
];

impl Tools {
    /// Prints the tools as a JSON array. Reports skills that are left out if the user may not know the
    /// reason.
    pub fn run(&self, client: &Client<'_>) -> ExitCode {
        let client = &Client { has_host: self.host, ..*client };
        let filter = self.wanted.filter();
        let mut tools: Vec<String> = Vec::new();
        for item in client.layers.winners().filter(|item| filter.matches(item.skill)) {
            let skill = item.skill;
            match definition_of(client, skill, self.format) {
                Ok(tool) => tools.push(indented(&tool, !item.trust.may_run())),
                Err(left) => print_exclusion(skill, &left),
            }
        }
        let end = if tools.is_empty() { "" } else { "\n" };
        terminal::json(&format!("[{}{end}]\n", tools.join(",")))
    }
}

/// Writes a definition on its own lines, indented. Marks the description of a skill that is not trusted.
fn indented(tool: &str, is_untrusted: bool) -> String {
    let Ok(mut node) = json::parse(tool) else { return format!("\n  {tool}") };
    if is_untrusted {
        mark(&mut node);
    }
    format!("\n  {}", node.indented(1))
}

/// Marks the description of a definition. Chat Completions has it below `function`.
fn mark(tool: &mut Node) {
    if let Some(function) = tool.get("function") {
        let mut function = function.clone();
        mark(&mut function);
        tool.set("function", function);
    } else {
        let description = tool.get("description").and_then(Node::as_str).unwrap_or_default();
        tool.set("description", string(format!("[untrusted] {description}")));
    }
}

fn print_exclusion(skill: Skill<'_>, left: &Exclusion) {
    let reason = match left {
        Exclusion::Missing(Missing { skill: callee, capability: MissingCapability::Code(mode) })
            if callee == skill.name() =>
        {
            format!("({mode}) has no exec, so only a host function can run it; `--host` shows it")
        }
        Exclusion::Missing(Missing { skill: callee, capability: MissingCapability::Code(_) }) => {
            format!("calls `{callee}`, which only a host function can run; `--host` shows it")
        }
        left if left.is_meant() => return,
        left => format!("is left out: {left}"),
    };
    terminal::note(format_args!("skill `{}` {reason}", skill.name()));
}
