//! Formats diagnostics as text; no other module reads a [`Report`](crate::report::Report).
//!
//! Each printer has `print(report, sources)` and escapes all text from files by the rules of its format.
//! [`explain`] and [`page`] print the [rule table](crate::rule) instead.

pub mod cargo;
mod excerpt;
#[cfg(feature = "reports")]
pub mod explain;
#[cfg(feature = "reports")]
pub mod github;
mod glyph;
mod ink;
#[cfg(feature = "reports")]
pub mod json;
#[cfg(feature = "reports")]
mod object;
#[cfg(feature = "reports")]
pub mod page;
#[cfg(feature = "reports")]
pub mod sarif;
#[cfg(feature = "reports")]
pub mod suggestions;
#[cfg(feature = "reports")]
pub mod tally;
pub mod text;
mod view;

pub use skills_registry::visible;
