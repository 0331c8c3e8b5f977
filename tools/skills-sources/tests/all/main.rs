//! Skills are brought from made-up sources into a made-up project.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test must fail where it cannot go on")]

mod add;
mod child;
mod git;
mod hostile;
mod installed;
mod kill;
mod place;
mod together;
mod update;
