//! An agent with commands for its own skills: `my-agent skill list`, `show`, `install`, `call`, …
//!
//! ```text
//! cargo run --example embed_cli --features call -- skill list
//! cargo run --example embed_cli --features call,skills-commands/mcp,skills-commands/serve -- skill serve --ui
//! ```
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use std::process::ExitCode;

use clap::Parser;

skills::skills!("skills/");

/// An agent with bundled skills.
#[derive(Parser)]
#[command(version)]
enum Arguments {
    /// Show the prompt that a model would get for a question
    Ask {
        /// The question
        question: String,
    },
    /// Work with the skills of this agent
    #[command(subcommand)]
    Skill(skills_commands::BundleCommand),
}

fn main() -> ExitCode {
    match Arguments::parse() {
        Arguments::Ask { question } => ask(&question),
        // `command.run(&SKILLS)` is enough for a program whose skills need not be callable.
        Arguments::Skill(command) => {
            command.run_with(&skills_commands::Bundle::new("embed_cli", &SKILLS).runner(SKILLS.runner()))
        }
    }
}

fn ask(question: &str) -> ExitCode {
    println!("system: You are a helpful agent.{}\n\nuser: {question}", SKILLS.prompt());
    ExitCode::SUCCESS
}
