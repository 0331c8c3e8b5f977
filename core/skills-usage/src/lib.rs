//! Checks the command lines in the texts of skills against the commands of a program, so that no skill names a flag that was
//! renamed.
//!
//! ```text
//! text -> markdown: code -> shell: lines -> program: calls -> fit -> findings -> diagnostics
//! ```
//!
//! A [`CommandTree`] is made from a `clap::Command` (feature `clap`), from a JSON file (feature `file`), or from the help texts
//! of any program ([`help`]).
//!
//! ```
//! use skills_usage::{CommandTree, check};
//!
//! let list = CommandTree { name: "list".to_owned(), ..CommandTree::default() };
//! let acme = CommandTree { name: "acme".to_owned(), commands: vec![list], ..CommandTree::default() };
//! let found = check("Run `acme lst`.", &[acme]);
//! assert_eq!(found[0].title(), "`acme` has no command `lst`");
//! assert_eq!(found[0].nearest.as_deref(), Some("list"));
//! ```

mod block;
#[cfg(feature = "clap")]
mod bundle;
#[cfg(feature = "clap")]
mod definition;
#[cfg(feature = "file")]
mod file;
mod finding;
mod fit;
pub mod help;
mod markdown;
mod program;
mod set;
mod shell;
mod stub;
mod tree;

pub use block::{write_block, write_calls};
#[cfg(feature = "clap")]
pub use bundle::{Mismatches, blocks, check_bundle};
#[cfg(feature = "file")]
pub use file::{UnreadableCommands, parse, print};
pub use finding::{Finding, Mismatch};
pub use set::CommandSet;
pub use tree::{Argument, ArgumentType, CommandTree, Flag, ValueCount, Values};

/// Checks the command lines of a Markdown text that call one of the programs, in the order of the text.
///
/// Checks shell blocks, blocks without a language, and inline code. Calls of other programs are ignored.
pub fn check(text: &str, programs: &[CommandTree]) -> Vec<Finding> {
    let mut found = Vec::new();
    for code in markdown::code(text) {
        for line in shell::lines(text, code.at.clone(), code.kind) {
            if let Some((program, call)) = program::called(&line, code.kind, programs) {
                fit::fit(text, program, &call, code.kind, &mut found);
            }
        }
    }
    skills_text::sort(&mut found, &|a, b| a.at.start.cmp(&b.at.start));
    found
}
