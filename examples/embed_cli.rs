//! An agent with the commands for its own skills: `my-agent skill list`, `show`, `install`, `exec`, …
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use std::process::ExitCode;

use clap::Parser;

skills::skills!("skills/");

/// An agent that brings its skills along.
#[derive(Parser)]
#[command(version)]
enum Arguments {
    /// Show what a model would be sent for a question
    Ask {
        /// The question
        question: String,
    },
    /// Work with the skills of this agent
    #[command(subcommand)]
    Skill(skills_cli::BundleCommand),
}

fn main() -> ExitCode {
    match Arguments::parse() {
        Arguments::Ask { question } => ask(&question),
        Arguments::Skill(command) => command.run(&SKILLS),
    }
}

fn ask(question: &str) -> ExitCode {
    println!("system: You are a helpful agent.{}\n\nuser: {question}", SKILLS.prompt());
    ExitCode::SUCCESS
}
