//! A checked catalog becomes Rust: for build scripts and for the macro.
