//! Loads directories and a bundle as one list of skills at run time.
//!
//! ```text
//! LayersBuilder (what to read) -> read, checked like a bundle -> Layer… -> merged -> Layers (winners, shadowed, problems)
//! Live: Layers -> reload -> Layers, Changes
//! ```
//!
//! A [`Layers`] is a stack, lowest first: the skills of the program, then directories. A skill of a higher
//! layer hides a skill with the same name below it. Skills on disk are read, parsed and checked by the same
//! code as a bundle, but an error in one skill never affects the others. Each problem is available as a line
//! `path:line:col: text`.
//!
//! ```
//! use skills_load::LayersBuilder;
//! # let dir = std::env::temp_dir().join(format!("skills-load-example-{}", std::process::id()));
//! # std::fs::create_dir_all(dir.join("pdf"))?;
//! # std::fs::write(dir.join("pdf/SKILL.md"), "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")?;
//! // A program with bundled skills calls `.bundle(&SKILLS)` first.
//! let skills = LayersBuilder::new().directory("no/such/dir").directory(&dir).load()?;
//! for problem in skills.problems() {
//!     eprintln!("{problem}");
//! }
//! assert_eq!(skills.find("pdf")?.description(), "Reads PDF files.");
//! assert_eq!(skills.find("pfd").unwrap_err().nearest.as_deref(), Some("pdf"));
//! # std::fs::remove_dir_all(&dir)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Live`] holds a stack that can be reloaded while others use it, and can watch the directories (feature
//! `watch`).

#![cfg_attr(docsrs, feature(doc_cfg))]

mod builder;
mod changes;
#[cfg(feature = "compat")]
pub mod compat;
mod layer;
mod linked;
mod live;
mod problem;
pub mod projects;
mod read;
mod remote;
mod remote_skill;
mod roots;
pub mod trust;
#[cfg(feature = "watch")]
mod watch;

pub use builder::LayersBuilder;
pub use changes::Changes;
pub use live::Live;
pub use problem::Unreadable;
pub use remote::{RemoteReadError, RemoteSkills};
pub use remote_skill::{RemoteFile, RemoteList, RemoteSkill};
pub use roots::{agent_directories, guide_directories};
#[doc(hidden)]
pub use roots::{expand, real_path};
pub use skills_core::options::{FormatPolicy, Strictness};
pub use skills_runtime::layers::{Found, Layers, Level, Origin, Problem, Shadowed};
#[cfg(feature = "watch")]
pub use watch::{Watch, WatchError};
