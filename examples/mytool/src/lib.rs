//! `mytool`, a program with three skills, in two versions. It serves the skills: agents read them with `mytool skill`, and
//! the files in the directories of agents are stubs that name this command.
//!
//! Version 2 has another text of `export-data`, adds a file to it, and renames the command `db dump` to `db export`.

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use skills_commands::{Bundle, BundleCommand, for_agents};

/// Returns the definition of a version, with the line for agents.
pub fn command<Arguments: CommandFactory>() -> clap::Command {
    for_agents(Arguments::command(), "skill")
}

/// Runs a version.
pub fn run<Arguments: Parser + Into<Option<BundleCommand>>>(skills: &'static skills::Registry) -> ExitCode {
    let matches = command::<Arguments>().get_matches();
    match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => match arguments.into() {
            Some(command) => command.run_with(&Bundle::new("mytool", skills)),
            None => ExitCode::SUCCESS, // this example has no database
        },
        Err(error) => error.exit(),
    }
}

/// Version 1.
pub mod one {
    use clap::{Parser, Subcommand};
    use skills_commands::BundleCommand;

    skills::skills!("version-1/skills");

    /// Works with databases.
    #[derive(Debug, Parser)]
    #[command(name = "mytool", version)]
    pub enum Arguments {
        /// Reads and writes databases
        #[command(subcommand)]
        Db(Db),
        /// Print the skills of this program
        #[command(subcommand)]
        Skill(BundleCommand),
    }

    /// Commands for databases.
    #[derive(Debug, Subcommand)]
    pub enum Db {
        /// Writes a table to a file
        #[command(after_help = "Examples:\n  mytool db dump users --format json")]
        Dump {
            /// The table
            table: String,
            /// The format of the file
            #[arg(long, default_value = "csv", value_parser = ["csv", "json"])]
            format: String,
        },
        /// Runs a query
        Query {
            /// The query
            sql: String,
        },
    }

    impl From<Arguments> for Option<BundleCommand> {
        fn from(arguments: Arguments) -> Self {
            match arguments {
                Arguments::Skill(command) => Some(command),
                Arguments::Db(_) => None,
            }
        }
    }
}

/// Version 2.
pub mod two {
    use clap::{Parser, Subcommand};
    use skills_commands::BundleCommand;

    skills::skills!("skills");

    /// Works with databases.
    #[derive(Debug, Parser)]
    #[command(name = "mytool", version)]
    pub enum Arguments {
        /// Reads and writes databases
        #[command(subcommand)]
        Db(Db),
        /// Print the skills of this program
        #[command(subcommand)]
        Skill(BundleCommand),
    }

    /// Commands for databases.
    #[derive(Debug, Subcommand)]
    pub enum Db {
        /// Writes a table to a file
        #[command(after_help = "Examples:\n  mytool db export users --format json")]
        Export {
            /// The table
            table: String,
            /// The format of the file
            #[arg(long, default_value = "csv", value_parser = ["csv", "json", "parquet"])]
            format: String,
            /// Writes debugging output
            #[arg(long, hide = true)]
            trace: bool,
        },
        /// Runs a query
        Query {
            /// The query
            sql: String,
        },
    }

    impl From<Arguments> for Option<BundleCommand> {
        fn from(arguments: Arguments) -> Self {
            match arguments {
                Arguments::Skill(command) => Some(command),
                Arguments::Db(_) => None,
            }
        }
    }
}
