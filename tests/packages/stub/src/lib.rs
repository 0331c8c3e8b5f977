//! Compiles the output of `skills expand --host`.
#![allow(unused_variables)]
skills::skills!("../notes");

struct Agent;
include!("stub.rs");
