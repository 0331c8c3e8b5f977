//! Programs that must not compile; each has its errors beside it. The output of `skills
//! expand --host` must compile.
#![allow(unused_variables)]
skills::skills!("../notes");

struct Agent;
include!("stub.rs");
