//! Commands that work on the skills of one program, for programs that bundle skills. The `skills` command uses the same
//! commands on directories.
//!
//! A program adds all of them with one line, [`BundleCommand`]:
//!
//! ```
//! use clap::Parser;
//! # use skills_registry::{Registry, Tables};
//!
//! #[derive(Parser)]
//! enum Arguments {
//!     /// Work with the skills of this program
//!     #[command(subcommand)]
//!     Skill(skills_commands::BundleCommand),
//! }
//!
//! # static SKILLS: Registry = Registry::new(Tables::fixed(&[], &[]));
//! let Arguments::Skill(command) = Arguments::parse_from(["my-agent", "skill", "list", "--json"]);
//! let code = command.run(&SKILLS); // `SKILLS` of `skills!`; `main` returns the code
//! # assert_eq!(code, std::process::ExitCode::SUCCESS);
//! ```
//!
//! Each feature adds commands or options:
//!
//! - `call`: `call` and `graph`. The program passes a runner to the commands (`Bundle::runner`).
//! - `serve`: `serve`, which serves the skills over HTTP.
//! - `mcp`: `mcp`, which serves the skills to clients of the Model Context Protocol.
//! - `model`: `--model` and `--base-url`, with which the user chooses the language model.
//!
//! Without a feature, its commands are hidden from the help, and print an error that names the feature.
//!
//! Data goes to standard output, problems to standard error. The exit codes are 0 (success), 1 (errors), 2 (wrong usage or
//! nothing to read) and 130 (Ctrl-C); `exec` returns the exit code of the skill's program.

#[cfg(not(all(feature = "call", feature = "mcp", feature = "model", feature = "serve")))]
mod absent;
mod bundle;
mod embedded;

#[cfg(not(feature = "mcp"))]
use absent::mcp;
#[cfg(not(feature = "serve"))]
use absent::serve;
pub use bundle::Bundle;
pub use embedded::BundleCommand;
pub use read::{SkillFlag, for_agents};

// Only the `skills` command uses the modules from here on. They may change in any version.
#[doc(hidden)]
pub mod arguments;
#[cfg(feature = "call")]
#[doc(hidden)]
pub mod call;
#[cfg(not(feature = "call"))]
#[doc(hidden)]
#[path = "absent/call.rs"]
pub mod call;
#[doc(hidden)]
pub mod client;
#[doc(hidden)]
pub mod confined;
#[doc(hidden)]
pub mod exec;
#[doc(hidden)]
pub mod failure;
#[cfg(any(feature = "mcp", feature = "serve"))]
mod guard;
#[doc(hidden)]
pub mod install;
#[doc(hidden)]
pub mod list;
#[cfg(feature = "mcp")]
#[doc(hidden)]
pub mod mcp;
#[cfg(feature = "model")]
#[doc(hidden)]
pub mod model;
#[cfg(not(feature = "model"))]
#[doc(hidden)]
#[path = "absent/model.rs"]
pub mod model;
#[doc(hidden)]
pub mod output;
#[doc(hidden)]
pub mod plugin;
#[doc(hidden)]
pub mod prompt;
mod read;
#[doc(hidden)]
pub mod search;
#[cfg(feature = "serve")]
#[doc(hidden)]
pub mod serve;
#[doc(hidden)]
pub mod show;
#[doc(hidden)]
pub mod status;
#[doc(hidden)]
pub mod steps;
#[doc(hidden)]
pub mod target;
#[doc(hidden)]
pub mod terminal;
#[doc(hidden)]
pub mod tools;
