//! Ship agent skills inside a Rust binary: checked when it is built, static when it runs.
//!
//! ```ignore
//! skills::skills!("skills/");
//!
//! fn main() {
//!     print!("{}", SKILLS.prompt());
//!     if let Some(skill) = SKILLS.get("pdf") {
//!         println!("{}", skill.body());
//!     }
//! }
//! ```

#[cfg(feature = "include_dir")]
pub use skills_runtime::{Dirs, include_dir};
pub use skills_runtime::{
    McpServer, McpServers, Mode, NotFound, Prompt, Registry, Resource, Resources, Skill, Skills, Style,
    Texts, is_on_path,
};

#[cfg(feature = "typed")]
pub use skills_runtime::{Invalid, Violation, typed};

/// Bundles a directory of skills.
#[macro_export]
macro_rules! skills {
    ($($input:tt)*) => { $crate::__private::__skills! { ($crate) $($input)* } };
}

/// Spells out the pieces of a bundle: its texts, then its files by path.
#[doc(hidden)]
#[macro_export]
macro_rules! __pieces {
    ($texts:literal $($file:literal)*) => { &[$texts, $($crate::__private::core::include_bytes!($file)),*] };
}

/// What generated code names; no part of the interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::__pieces as pieces;
    pub use ::core;
    pub use skills_macros::__skills;
    #[cfg(feature = "typed")]
    pub use skills_runtime::p;
    pub use skills_runtime::{__typed as typed, Registry, Skill, Tables};
}
