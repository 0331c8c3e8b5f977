//! Bundles the skills of this repository for its examples and tests; in a package without them it does nothing.
//!
//! `skills-build` costs no dependent anything: the macro is made of it, so it is built for the host in any case.

use std::path::Path;

#[allow(clippy::print_stdout, reason = "cargo reads what a build script prints")]
fn main() {
    if Path::new("skills").is_dir() {
        skills_build::bundle("skills");
    } else {
        println!("cargo::rerun-if-changed=build.rs");
    }
}
