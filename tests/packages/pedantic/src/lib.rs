//! Generated code is silent where everything is linted, whether a build script wrote it or the macro.
#![deny(missing_docs, warnings, clippy::pedantic, clippy::nursery)]

/// What a build script wrote.
pub mod built {
    skills::skills!("../functions");
}
/// What the macro wrote.
pub mod expanded {
    skills::skills!("../notes");
}
