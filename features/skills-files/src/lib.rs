//! Reads and writes files below a directory by descriptor, so that neither a link nor a directory that is exchanged
//! meanwhile can lead outside.
//!
//! A [`Dir`] is an open directory: each of its calls takes one name in it and follows no link. A [`Root`] takes paths
//! below a directory, and follows links that stay in it. All writers into directories of skills and projects use one of
//! the two. The reader of `skills-core`, which is part of every build, uses only the standard library.
//!
//! On systems without descriptors of directories, a `Dir` is a path that is checked before each call.

mod dir;
pub mod fault;
#[cfg(not(unix))]
mod portable;
mod private_file;
#[cfg(unix)]
mod remove;
mod root;
mod scratch_dir;
#[cfg(unix)]
mod unix;

pub use dir::{FileKind, Metadata};
pub use dir::{is, read_parts};
#[cfg(not(unix))]
pub use portable::{Dir, WriteLock};
#[cfg(unix)]
pub use private_file::lock;
pub use private_file::{Locked, create_private_dir, open_locked, private_options};
pub use root::{Root, read, remove_tree, replace};
pub use scratch_dir::ScratchDir;
#[cfg(unix)]
pub use scratch_dir::sweep;
#[cfg(unix)]
pub use unix::{Dir, WriteLock};
