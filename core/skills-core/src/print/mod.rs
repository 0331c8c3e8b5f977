//! Formats a [`Report`](crate::report::Report) for terminals and for cargo. `skills-report` has the formats
//! for other programs.
//!
//! Each printer has `print(report, sources)` and escapes all text from files by the rules of its format.

pub mod cargo;
mod excerpt;
mod glyph;
mod ink;
pub mod text;
mod view;

pub use glyph::{columns, wrap};
pub use skills_text::visible;
