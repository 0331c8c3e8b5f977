//! Brings skills from other projects into a directory, and holds them to the file `skills.lock`. Used by the command.
//!
//! ```text
//! text -> Source -fetch-> Fetched -check-> Offer ─┐
//! skills.lock -> Lock, the directory -> Tree ─────┴─plan-> Change -apply-> the directory and skills.lock
//! ```
//!
//! A source is data: nothing of it is run, no link of it is followed out of it, and only the files of chosen skills are
//! written. A change is decided in full before anything is written. It is written beside the skills first, then recorded
//! in a journal, and then moved into place, so that a killed process leaves the old state or a journal that the next
//! process completes.

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
mod project;
mod review;
mod source;
mod tree;
mod verify;

pub use apply::apply;
pub use change::{Change, Step, Wanted};
pub use error::SourceError;
pub use fetched::{Fetched, current, fetch};
pub use files::{FileState, Files};
pub use installed::{Dependency, dependencies};
pub use lock::{LOCK_FILE, Lock, Locked};
pub use offer::{Finding, Offer, OfferedFile, OfferedSkill, check};
pub use plan::{add, remove, restore, update};
pub use project::{Project, State};
pub use review::{diff, warnings};
pub use source::{PackageKind, Source};
pub use tree::Tree;
pub use verify::verify;
