//! Ship agent skills inside a Rust binary.
