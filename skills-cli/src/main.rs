//! The `skills` command: arguments become calls of `skills-core`, results become text and an exit code.
//!
//! Data goes to standard output, problems to standard error; exit codes are 0, 1 (errors) and 2 (wrong usage).

mod check;
mod explain;
mod list;
mod prompt;
mod record;
mod schema;
mod source;
mod terminal;
mod tools;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  skills check skills                       every problem of the directory `skills`
  skills check skills --format sarif        the same for a code scanning service
  skills explain name-mismatch              why a rule is one, and how to satisfy it
  skills list skills --json                 what a program would see
  skills prompt skills --style omega        what a model would see
  skills tools skills --format mcp          the skills as tools of a model
  skills schema > skill.schema.json         what editors check skill.json by

Exit codes: 0 success or warnings only, 1 errors, 2 wrong usage.";

/// Check, list and show agent skills.
#[derive(Debug, Parser)]
#[command(name = "skills", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge a directory as a build does and report every problem
    Check(check::Check),
    /// Say what a rule is about, with a bad and a good example
    Explain(explain::Explain),
    /// List the skills of a directory
    List(list::List),
    /// Print the catalog that a model is shown
    Prompt(prompt::Prompt),
    /// Print the JSON Schema of skill.json, for editors
    Schema(schema::Schema),
    /// Print the skills as tools that a model can call
    Tools(tools::Tools),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Check(check) => check.run(),
        Command::Explain(explain) => explain.run(),
        Command::List(list) => list.run(),
        Command::Prompt(prompt) => prompt.run(),
        Command::Schema(schema) => schema.run(),
        Command::Tools(tools) => tools.run(),
    };
    outcome.unwrap_or_else(|usage| {
        terminal::problem(&format!("error: {usage}"));
        ExitCode::from(2)
    })
}
