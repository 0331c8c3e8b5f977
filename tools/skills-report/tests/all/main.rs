//! Reports are printed and fixes are applied through the public API; all in one program, because linking each
//! takes seconds.

#[cfg(unix)]
#[path = "../../../../core/skills-core/tests/disk/mod.rs"]
mod disk;
mod fix_files;
mod fixes;
mod formats;
mod growth;
#[cfg(unix)]
mod planted;
#[cfg(unix)]
mod plugin;
#[cfg(unix)]
mod words;
