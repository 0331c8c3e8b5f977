//! What directories by descriptor do, and what nobody can make them do.

mod paths;
#[cfg(unix)]
mod race;
#[cfg(unix)]
mod remove;
mod write;
