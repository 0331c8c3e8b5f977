//! Adds skills of other projects to a directory, and keeps them equal to the file `skills.lock`. Used by the command.
//!
//! ```text
//! text -> Source -fetch-> Fetched -check-> Offer ─┐
//! skills.lock -> Lock, the directory -> Tree ─────┴─plan-> Change -apply-> the directory and skills.lock
//! ```
//!
//! A source is only data: its code is not run, links that lead out of it are not followed, and only the files of
//! chosen skills are written. All of a change is decided before anything is written. The new files are written beside
//! the skills, the change is recorded in a journal, and then the files are moved into place. So a killed process
//! leaves either the old state, or a journal from which the next process completes the change.

mod apply;
mod change;
mod error;
mod fetched;
mod files;
mod git;
mod installed;
mod journal;
mod lock;
mod offer;
mod plan;
mod program;
mod project;
mod review;
mod source;
mod tree;
mod verify;

pub use apply::apply;
pub use change::{Change, LeftOut, SkillChange, Wanted};
pub use error::SourceError;
pub use fetched::{Fetched, current, fetch};
pub use files::{FileState, Files};
pub use installed::{Dependency, dependencies};
pub use lock::{LOCK_FILE, Lock, Locked};
pub use offer::{Finding, Offer, OfferedFile, OfferedSkill, check};
pub use plan::{add, remove, restore, update};
pub use project::{Project, ProjectState};
pub use review::{diff, warnings};
pub use source::{PackageKind, Source};
pub use tree::Tree;
pub use verify::verify;
