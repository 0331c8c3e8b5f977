//! Diagnostics become text: the only readers of a [`Report`](crate::diagnostic::Report).
//!
//! Each printer has `print(report, sources)`; each text that files can influence is escaped by the rules of the
//! form it goes into. [`explain`] and [`page`] print the [rule table](crate::rule) instead.

pub mod cargo;
mod excerpt;
pub mod explain;
pub mod github;
mod glyph;
mod ink;
pub mod json;
mod object;
pub mod page;
pub mod sarif;
pub mod text;
mod view;

pub use glyph::visible;
