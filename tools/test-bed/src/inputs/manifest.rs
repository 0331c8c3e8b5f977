//! Members of a `skill.json`, and JSON that is not valid.

use super::{Input, fill, input, json, typed};

/// The kinds.
pub(super) const KINDS: &[Input] = &[
    input("members", |size| json(format!(r#"{{{}"name": "it"}}"#, fill(size, r#""m{at}": 1, "#)))),
    input("near members", |size| {
        json(format!(r#"{{{}"name": "it"}}"#, fill(size, r#""descriptio{at}": 1, "#)))
    }),
    input("the same member", |size| {
        json(format!(r#"{{{}"name": "it"}}"#, r#""tags": [], "#.repeat(size / 12)))
    }),
    input("deep brackets of JSON", |size| json("[".repeat(size))),
    input("faults of JSON", |size| json(format!("{{{}}}", fill(size, "'m{at}': True; ")))),
    input("commas that are missing", |size| json(format!("[{}]", "1 ".repeat(size / 2)))),
    input("open strings of JSON", |size| json(format!("[{}]", "\"a\n".repeat(size / 3)))),
    input("a long number", |size| typed(&format!(r#""input": {{"maximum": {}}}"#, "9".repeat(size)))),
    input("a long string", |size| {
        typed(&format!(r#""input": {{"title": "{}"}}"#, "\\u0041".repeat(size / 6)))
    }),
    input("comments of JSON", |size| json(format!("{{{}}}", "// a\n".repeat(size / 5)))),
    input("the same calls", |size| {
        typed(&format!(r#""input": {{}}, "calls": [{}"a"]"#, r#""a", "#.repeat(size / 5)))
    }),
    input("calls", |size| {
        typed(&format!(r#""input": {{}}, "calls": [{}"a"]"#, fill(size, r#""skill-{at}", "#)))
    }),
];
