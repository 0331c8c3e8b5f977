//! The commands of `skills`. They parse arguments, call the other crates, and print the results.
//!
//! A program that bundles skills adds them for its own in one line, [`BundleCommand`]:
//!
//! ```
//! use clap::Parser;
//! # use skills_registry::{Layout, Registry, write};
//!
//! #[derive(Parser)]
//! enum Arguments {
//!     /// Work with the skills of this program
//!     #[command(subcommand)]
//!     Skill(skills_cli::BundleCommand),
//! }
//!
//! # let SKILLS = Registry::new(write(&[], Layout::Joined, 8_000)?.into_tables());
//! let Arguments::Skill(command) = Arguments::parse_from(["my-agent", "skill", "list", "--json"]);
//! let code = command.run(&SKILLS); // `SKILLS` of `skills!`; `main` returns the code
//! # assert_eq!(code, std::process::ExitCode::SUCCESS);
//! # Ok::<(), skills_registry::TooLarge>(())
//! ```
//!
//! Such a program depends on the crate without default features: they are the `skills` command itself, which reads and
//! checks directories. With a runner ([`Bundle::runner`]) and the feature `call` the program's users call its skills, too;
//! with `serve` they serve them over HTTP, with `mcp` to clients of MCP, and with `model` they may name the model.
//!
//! Data goes to standard output, problems to standard error; exit codes are 0, 1 (errors) and 2 (wrong usage), and
//! that of the program for `exec`.

mod bundle;
#[cfg(feature = "call")]
mod call;
mod choice;
mod confined;
mod embedded;
mod exec;
mod failure;
mod filter;
#[cfg(feature = "call")]
mod graph;
#[cfg(any(feature = "serve", feature = "mcp"))]
mod guard;
mod home;
mod input;
mod install;
#[cfg(feature = "call")]
mod interrupt;
#[cfg(feature = "sign")]
mod key;
mod list;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "call")]
mod model;
#[cfg(feature = "call")]
mod on_demand;
#[cfg(feature = "otlp")]
mod otlp;
mod plugin;
mod prompt;
mod search;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod skill_source;
#[cfg(feature = "standalone")]
mod standalone;
mod status;
mod target;
mod terminal;
mod tools;
mod uninstall;
mod version;
mod workspace;

pub use bundle::Bundle;
pub use embedded::BundleCommand;
#[cfg(feature = "standalone")]
pub use standalone::{command, main, main_of_cargo};
