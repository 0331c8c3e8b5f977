//! Programs that must not compile; each has the beginning of its errors beside it. What `skills expand --host` prints does.
#![allow(unused_variables)]
skills::skills!("../notes");

struct Agent;
include!("stub.rs");
