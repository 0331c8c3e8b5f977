//! The crate from outside, in one program, since linking each costs seconds.

#[cfg(target_os = "linux")]
mod followed;
mod load_corpus;
mod load_faults;
mod load_live;
mod load_watch;
#[path = "../planted/mod.rs"]
mod planted;
mod projects;
mod search;
