//! The procedural macro behind `skills!`.
