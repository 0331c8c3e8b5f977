//! Acts on the problems that `skills-core` reports: prints them for other programs, explains their rules, and
//! applies their fixes. [`evals`] checks files that no build reads, and
//! [`plugin`] reads the plugins of clients. The command and the language server use it.
//!
//! Each printer has `print(report, sources)` and escapes all text from files by the rules of its format.
//! [`explain`] and [`page`] do not print reports, but the [rule table](skills_core::rule).

pub mod evals;
pub mod explain;
pub mod fix;
pub mod github;
pub mod json;
pub mod page;
pub mod plugin;
pub mod repeats;
pub mod rights;
pub mod sarif;
pub mod suggestions;
pub mod tally;
