//! Tests that generated code causes no lint, whether it comes from a build script or the macro.
#![deny(missing_docs, warnings, clippy::pedantic, clippy::nursery)]

/// Code from a build script.
pub mod built {
    skills::skills!("../functions");
}
/// Code from the macro.
pub mod expanded {
    skills::skills!("../notes");
}
