//! Compares the JSON reader with serde_json, on randomly generated and damaged texts.
#![allow(clippy::panic, clippy::print_stdout, reason = "tests fail by panicking and print their counts")]

use serde_json::Value;
use skills_schema::json::{self, ErrorKind, Kind, Node};
use skills_schema::lower::{DocumentOptions, lower};
use skills_schema::{Invalid, Tables, validate_str};

use crate::random::Random;

const SCALARS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "12345678901234567890",
    "1.5",
    "1e5",
    "1E-5",
    "-0.0e+0",
    "3.0",
    "\"\"",
    "\"a\"",
    "\"\\n\\u00e9\\ud83d\\ude00\\/\\\"\"",
    "\"é😀\"",
    "\"a long string that spans more than one word of eight bytes\"",
    "\"\\\\\"",
    "\"\\u0000\"",
];

fn value(random: &mut Random, depth: usize) -> String {
    let space = |random: &mut Random| *random.pick(&["", "", "", " ", "\n\t", "\r\n"]);
    let text = match random.below(if depth == 0 { 1 } else { 3 }) {
        0 => (*random.pick(SCALARS)).to_owned(),
        1 => {
            let count = random.below(4);
            let items: Vec<String> = (0..count).map(|_| value(random, depth - 1)).collect();
            format!("[{}]", items.join(","))
        }
        _ => {
            let count = random.below(5);
            let key = |random: &mut Random| {
                *random.pick(&["\"a\"", "\"b\"", "\"\\u0061\"", "\"\"", "\"long key of a property\""])
            };
            let members: Vec<String> = (0..count)
                .map(|_| format!("{}{}:{}", key(random), space(random), value(random, depth - 1)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
    };
    format!("{}{text}{}", space(random), space(random))
}

const PIECES: &[&str] = &[
    "{", "}", "[", "]", ",", ":", "\"", "\\", "u", "d800", "0", "1", "-", "+", ".", "e", "E", " ", "\n",
    "\t", "\u{1}", "/", "//", "/*", "#", "null", "tru", "é", "\u{feff}", "'", "NaN", "\\u12", "00", "\u{7f}",
    "\u{2028}", ",}", ",]",
];

fn spoil(random: &mut Random, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(2) {
        let at = random.below(chars.len() + 1);
        match random.below(4) {
            0 if at < chars.len() => drop(chars.remove(at)),
            1 => chars.truncate(at),
            2 if at < chars.len() => chars[at] = random.pick(PIECES).chars().next().expect("not empty"),
            _ => drop(chars.splice(at..at, random.pick(PIECES).chars())),
        }
    }
    chars.into_iter().collect()
}

/// Returns `true` if the two trees are equal. The last of repeated keys counts.
fn same(node: &Node, value: &Value) -> bool {
    match (&node.kind, value) {
        (Kind::Null, Value::Null) => true,
        (Kind::Bool(a), Value::Bool(b)) => a == b,
        (Kind::Number(a), Value::Number(b)) => a.parse::<f64>().ok() == b.as_f64(),
        (Kind::String(a), Value::String(b)) => a == b,
        (Kind::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Kind::Object(a), Value::Object(b)) => {
            a.iter().all(|m| b.contains_key(&m.key))
                && b.iter().all(|(k, v)| node.get(k).is_some_and(|n| same(n, v)))
        }
        _ => false,
    }
}

fn compare(text: &str, anything: &Tables) -> bool {
    let oracle = serde_json::from_str::<Value>(text);
    let ours = json::read(text);
    let other_fault = ours.faults.iter().find(|fault| fault.kind != ErrorKind::DuplicateKey);
    let streamed = match validate_str(anything, text) {
        Ok(()) => None,
        Err(Invalid::Malformed(malformed)) => Some(malformed.error),
        Err(other) => panic!("{text:?}: {other}"),
    };
    assert_eq!(
        ours.faults.is_empty(),
        streamed.is_none(),
        "tree and stream differ on {text:?}: {:?} {streamed:?}",
        ours.faults
    );
    match &oracle {
        Ok(value) => {
            assert_eq!(other_fault, None, "refused {text:?}");
            assert!(same(ours.root.as_ref().expect("read"), value), "{text:?}");
        }
        // serde_json does not support numbers outside the range of a float.
        Err(error) if error.to_string().contains("out of range") => {}
        Err(error) => {
            assert!(other_fault.is_some(), "accepted {text:?}: {error}");
            for fault in &ours.faults {
                assert!(fault.start <= fault.end && fault.end <= text.len(), "{text:?}: {fault:?}");
                assert!(
                    text.is_char_boundary(fault.start) && text.is_char_boundary(fault.end),
                    "{text:?}: {fault:?}"
                );
            }
        }
    }
    oracle.is_ok()
}

#[test]
fn agrees_with_serde_json() {
    // SPEC 3.3: all readers accept exactly the JSON of RFC 8259.
    let anything = lower("true", &DocumentOptions::default()).tables;
    let random = &mut Random::new(7);
    let (mut good, mut bad) = (0, 0);
    let rounds = test_bed::rounds(2_000);
    for round in 0..rounds {
        let mut text = value(random, 4);
        if round % 2 == 1 {
            text = spoil(random, &text);
        }
        if compare(&text, &anything) { good += 1 } else { bad += 1 }
    }
    assert!(good > rounds / 4 && bad > rounds * 3 / 20, "{good} good, {bad} bad");
}

#[test]
fn the_depth_limit_is_an_error() {
    // SPEC 3.3, 12.1: deep nesting is refused, it does not overflow the stack.
    let anything = lower("true", &DocumentOptions::default()).tables;
    let nested = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    assert!(validate_str(&anything, &nested(128)).is_ok());
    assert!(json::parse(&nested(128)).is_ok());
    for text in [nested(129), "[".repeat(1_000_000), "{\"a\":".repeat(1_000_000)] {
        let streamed = validate_str(&anything, &text).expect_err("too deep");
        let Invalid::Malformed(malformed) = streamed else { panic!("{streamed:?}") };
        let (error, 1) = (malformed.error, malformed.line) else { panic!("{malformed:?}") };
        assert_eq!(error.kind, ErrorKind::TooDeep);
        assert_eq!(json::parse(&text).expect_err("too deep"), error);
    }
}

#[test]
fn repeated_keys_are_found_in_objects_of_any_size() {
    // SPEC 3.3: duplicate keys are errors, with the later key's place.
    let schemas = [
        "true",
        r#"{"properties": {"k3": true}, "required": ["k5"]}"#,
        r#"{"minProperties": 1}"#,
        r#"{"not": false}"#,
    ];
    for schema in schemas {
        let tables = lower(schema, &DocumentOptions::default()).tables;
        for size in [2, 8, 15, 16, 17, 18, 100] {
            for (first, again) in [(0, size - 1), (3.min(size - 2), size - 1), (size - 2, size - 1), (0, 1)] {
                let mut keys: Vec<String> = (0..size).map(|i| format!("\"k{i}\"")).collect();
                keys[again] = keys[first].clone();
                let text =
                    format!("{{{}}}", keys.iter().map(|k| format!("{k}:1")).collect::<Vec<_>>().join(","));
                let refused = validate_str(&tables, &text).expect_err("repeated");
                let Invalid::Malformed(malformed) = refused else { panic!("{refused:?}") };
                let error = malformed.error;
                assert_eq!(error.kind, ErrorKind::DuplicateKey, "{schema} {text}");
                assert_eq!(&text[error.start..error.end], keys[again]);
                assert_eq!(text[..error.start].matches(&keys[again]).count(), 1);
            }
        }
    }
}
