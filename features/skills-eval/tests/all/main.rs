//! Evaluations from outside.

mod eval;
mod tools;
