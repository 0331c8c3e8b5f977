//! Programs are observed, and then run under exactly the permissions that were learned.

#![cfg(target_os = "linux")]

mod field;
mod learned;
mod support;
