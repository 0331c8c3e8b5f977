//! The arguments that all commands share.

use std::process::ExitCode;

use clap::{Args, Parser};

use super::command::Command;
use super::otlp::Otlp;
use super::source::Skills;
use skills_commands::failure::Ended;
use skills_commands::terminal::look::Color;
use skills_load::Layers;

const EXAMPLES: &str = "\
Examples:
  skills check skills                       report all problems
  skills list skills --json                 list skills as JSON
  skills show pdf --dir skills              show one skill
  skills prompt skills --style omega        print the catalog that a model sees
  skills exec git-changelog --dir skills --input '{\"since\": \"v1.0\"}'
                                            run the program of a skill
  skills call memory_search --dir skills --input '{\"query\": \"oven\"}'
                                            call a skill as a function
  skills install --dir skills --agent claude --dry-run
                                            show what would be written to .claude/skills

`skills COMMAND --help` has examples for each command. Wherever a command takes a directory
`[DIR]`, `--dir DIR` names it, too.
`RUST_LOG` selects the events of `--verbose`. `--color auto` has colours on a terminal, unless
`NO_COLOR`, `CLICOLOR=0` or `TERM=dumb` is set.
Exit codes: 0 success or warnings only, 1 errors, 2 wrong usage or nothing to read, 130 Ctrl-C.
`exec` exits with the code of the program.";

/// The heading of the options that every command has.
const GLOBAL: &str = "Global options";

/// Check, show, install and run agent skills.
#[derive(Debug, Parser)]
#[command(
    name = "skills",
    version,
    after_help = "Begin with `skills new hello` and `skills check`. `skills --help` describes them, and others that are seldom needed.",
    after_long_help = EXAMPLES
)]
pub(super) struct Arguments {
    /// Print progress to standard error; repeat for more
    #[arg(short, long, global = true, action = clap::ArgAction::Count, help_heading = GLOBAL)]
    pub(super) verbose: u8,
    /// Do not print notes, progress and summaries
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = GLOBAL)]
    pub(super) quiet: bool,
    /// When output has colours: `auto`, `always` or `never`
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true,
        help_heading = GLOBAL
    )]
    pub(super) color: Color,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// A command, and the skills it works on.
#[derive(Debug, Args)]
pub(super) struct On<S: Args, C: Args> {
    #[command(flatten)]
    pub(super) skills: S,
    #[command(flatten)]
    pub(super) command: C,
}

impl<S: Args + Skills, C: Args> On<S, C> {
    /// Reads the skills and runs a command that only shows them, including those that are not trusted.
    pub(super) fn show(&self, command: impl FnOnce(&C, &Layers) -> ExitCode) -> Ended {
        Ok(command(&self.command, &self.skills.read()?.for_display()))
    }

    /// Reads the skills and runs the command on them.
    pub(super) fn run(&self, command: impl FnOnce(&C, &Layers) -> ExitCode) -> Ended {
        Ok(command(&self.command, &self.skills.read_all()?))
    }
}

/// A command with options for the traces of its calls.
#[derive(Debug, Args)]
pub(super) struct Traced<C: Args> {
    #[command(flatten)]
    pub(super) command: C,
    #[command(flatten)]
    pub(super) otlp: Otlp,
}
