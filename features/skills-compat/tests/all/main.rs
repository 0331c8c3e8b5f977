//! The functions of other loaders, from outside.

mod compat;
#[path = "../../../skills-load/tests/planted/mod.rs"]
mod planted;
