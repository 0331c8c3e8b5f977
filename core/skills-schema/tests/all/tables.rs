//! Tests tables as static data, as a code generator prints them.
#![allow(clippy::panic, clippy::print_stdout, reason = "tests fail by panicking and print their counts")]

use skills_schema::lower::{DocumentOptions, lower};
use skills_schema::{Tables, validate_str};

const SCHEMA: &str = r#"{"type": "object", "properties": {"name": {"type": "string", "pattern": "^[a-z]+$"}, "n": {"type": "integer", "minimum": 1}}}"#;

/// Tables in a binary: `from_static` is evaluated at build time. Without words, they have no version.
static NOTHING: Tables = Tables::from_static(&[], "");

#[test]
fn printed_parts_behave_like_their_tables() {
    // SPEC 6.1: tables in a binary and tables made at run time give the same results.
    let lowered = lower(SCHEMA, &DocumentOptions::default());
    let (words, text) = lowered.tables.parts();
    let words: &'static [u32] = words.to_vec().leak();
    let printed = Tables::from_static(words, text.to_owned().leak());
    assert_eq!(printed, lowered.tables);
    for (input, fits) in
        [(r#"{"name": "a", "n": 1}"#, true), (r#"{"name": "A"}"#, false), (r#"{"n": 0}"#, false)]
    {
        assert_eq!(validate_str(&printed, input).is_ok(), fits);
        assert_eq!(validate_str(&printed, input), validate_str(&lowered.tables, input));
    }
    let message = validate_str(&NOTHING, "{}").expect_err("of no version").to_string();
    assert_eq!(message, "(root): limit: expected tables of layout 2, found layout 0");
}

#[test]
fn tables_are_the_same_in_every_run() {
    // SPEC 12.5: nothing depends on the order of a hash map.
    let first = lower(SCHEMA, &DocumentOptions::default());
    for _ in 0..20 {
        assert_eq!(lower(SCHEMA, &DocumentOptions::default()).tables, first.tables);
    }
}
