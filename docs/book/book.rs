//! The chapters of the book, each as the documentation of a module, so that `cargo test` compiles and runs their code.

/// Start.
#[doc = include_str!("text/start.md")]
pub mod start {}
/// Writing skills.
#[doc = include_str!("text/writing.md")]
pub mod writing {}
/// The macro.
#[doc = include_str!("text/macro.md")]
pub mod macros {}
/// Types.
#[doc = include_str!("text/types.md")]
pub mod types {}
/// Calling.
#[doc = include_str!("text/calling.md")]
pub mod calling {}
/// Running.
#[doc = include_str!("text/running.md")]
pub mod running {}
/// Serving.
#[doc = include_str!("text/serving.md")]
pub mod serving {}
/// Shipping.
#[doc = include_str!("text/shipping.md")]
pub mod shipping {}
/// Rules.
#[doc = include_str!("text/rules.md")]
pub mod rules {}
