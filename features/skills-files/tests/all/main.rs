//! Tests the operations of directories by descriptor, also under attack.

mod paths;
#[cfg(unix)]
mod race;
#[cfg(unix)]
mod remove;
mod write;
