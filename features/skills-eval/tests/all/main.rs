//! Evaluations from outside.

mod eval;
