//! Generates Rust code from a checked catalog, for build scripts and for the macro.
//!
//! One line in `build.rs` makes builds of a crate with many skills fast, and makes cargo see added files:
//!
//! ```no_run
//! # #[allow(clippy::needless_doctest_main)]
//! fn main() {
//!     skills_build::bundle("skills");
//! }
//! ```
//!
//! `skills!("skills/")` in the same crate uses the output of the build script. Without a build script, the
//! macro does the same work itself with the same code.

mod bundle;
mod expand;
mod generate;
mod input;
mod layout;
mod locate;
mod options;
mod output;
#[cfg(feature = "typed")]
#[doc(hidden)]
pub mod shape;
#[cfg(feature = "typed")]
mod types;

pub use bundle::{Bundle, bundle};
#[doc(hidden)]
pub use expand::{expand, expand_derive};
#[cfg(feature = "typed")]
pub use generate::host_stub;
pub use generate::{Code, Form, Program, generate};
#[doc(hidden)]
pub use input::BundlePlace;
pub use skills_core::options::FormatPolicy;
