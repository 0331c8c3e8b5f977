//! The `skills` command: arguments become calls of the other crates, results become text and an exit code.
//!
//! Data goes to standard output, problems to standard error; exit codes are 0, 1 (errors) and 2 (wrong usage), and
//! that of the program for `skills exec`.

mod bundle;
mod check;
mod exec;
mod expand;
mod explain;
mod failure;
mod install;
mod list;
mod migrate;
mod prompt;
mod record;
mod schema;
mod source;
mod status;
mod target;
mod terminal;
mod tools;
mod uninstall;

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
  skills expand skills code_review          the Rust that `skills!` makes of a skill
  skills install --dir skills --agent claude --dry-run
                                            what would be written to .claude/skills
  skills status --dir skills --to .claude   what is there, and what was edited
  skills uninstall pdf --dir skills --to .claude
                                            remove one skill again
  skills migrate --flat .claude             turn skills/foo.md into skills/foo/SKILL.md
  skills exec git-changelog --dir skills --input '{\"since\": \"v1.0\"}'
                                            run the program of a skill

Exit codes: 0 success or warnings only, 1 errors, 2 wrong usage; `exec` passes on that of the program.";

/// Check, show, install and run agent skills.
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
    /// Run the program of a skill and print what came of it as JSON
    Exec(exec::Exec),
    /// Print the Rust that a directory of skills becomes
    Expand(expand::Expand),
    /// Say what a rule is about, with a bad and a good example
    Explain(explain::Explain),
    /// Write skills where an agent reads them, and keep them up to date there
    Install(install::Install),
    /// List the skills of a directory
    List(list::List),
    /// Turn skills of older forms into directories
    Migrate(migrate::Migrate),
    /// Print the catalog that a model is shown
    Prompt(prompt::Prompt),
    /// Print the JSON Schema of skill.json, for editors
    Schema(schema::Schema),
    /// Tell how installed skills stand: current, outdated, modified, …
    Status(status::Status),
    /// Print the skills as tools that a model can call
    Tools(tools::Tools),
    /// Remove what `install` wrote
    Uninstall(uninstall::Uninstall),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Check(check) => check.run(),
        Command::Exec(exec) => exec.run(),
        Command::Expand(expand) => expand.run(),
        Command::Explain(explain) => explain.run(),
        Command::Install(install) => install.run(),
        Command::List(list) => list.run(),
        Command::Migrate(migrate) => migrate.run(),
        Command::Prompt(prompt) => prompt.run(),
        Command::Schema(schema) => schema.run(),
        Command::Status(status) => status.run(),
        Command::Tools(tools) => tools.run(),
        Command::Uninstall(uninstall) => uninstall.run(),
    };
    outcome.unwrap_or_else(|usage| {
        terminal::problem(&format!("error: {usage}"));
        ExitCode::from(2)
    })
}
