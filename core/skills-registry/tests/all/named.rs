//! Tests that values with names are parsed as they are written.

use std::fmt::Display;
use std::str::FromStr;

use skills_registry::{Backend, Mode, Style};

fn check<T: Copy + Display + FromStr + PartialEq>(values: &[T]) {
    for value in values {
        assert!(value.to_string().parse().is_ok_and(|parsed: T| parsed == *value), "{value}");
    }
}

// SPEC 2.13: `mode` is one of these words.
#[test]
fn names_are_parsed_as_they_are_written() {
    check(&Mode::ALL);
    check(&Backend::ALL);
    check(&Style::ALL);
    let unknown = "code-host".parse::<Mode>().expect_err("not a mode").to_string();
    assert_eq!(unknown, "`code-host` is not a mode; known are `code`, `llm`, `composite`, `mcp`");
}
