//! Tests that the number of steps of a check grows only linearly with its text, for any schema.
#![allow(clippy::panic, reason = "tests fail by panicking")]

use super::check::{CheckRun, SchemaFault, Verdict};
use super::text::Text;
use crate::Tables;
use crate::lower::{DocumentOptions, lower};

fn tables(schema: &str) -> Tables {
    lower(schema, &DocumentOptions::default()).tables
}

/// Checks a text; returns the verdict and the steps.
fn checked(schema: &str, text: &str) -> (Verdict, usize) {
    let tables = tables(schema);
    let mut run = CheckRun::new(&tables, text.len(), false);
    let fits = run.root(&mut Text::new(text));
    let steps = run.taken();
    (fits, steps)
}

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    let items: Vec<String> = (0..count).map(item).collect();
    format!("[{}]", items.join(","))
}

fn limit(verdict: Verdict) -> String {
    match verdict {
        Err(SchemaFault::Limit(violation)) => violation.to_string(),
        _ => "no limit".to_owned(),
    }
}

// SPEC 6.4: if there are many constants, the value is looked up and not compared with each.
#[test]
fn fixed_values_are_looked_up() {
    let numbers = list(4_000, |i| (i * 3).to_string());
    let containers = list(4_000, |i| format!("{{\"a\": [{i}]}}"));
    let strings = list(4_000, |i| format!("\"s{i}\""));
    for (values, fitting, other) in [
        (numbers, "11997", "11998"),
        (strings, "\"s3999\"", "\"s\""),
        (containers, "{\"a\": [3999]}", "{\"a\": [4000]}"),
    ] {
        let schema = format!("{{\"items\": {{\"enum\": {values}}}}}");
        let (fits, steps) = checked(&schema, &list(1_000, |_| fitting.to_owned()));
        assert!(matches!(fits, Ok(true)) && steps < 40_000, "{steps} steps for {fitting}");
        let (fits, steps) = checked(&schema, &list(90, |_| other.to_owned()));
        assert!(matches!(fits, Ok(false)) && steps < 4_000, "{steps} steps for {other}");
    }
}

// SPEC 6.4: all patterns of a check share one limit, even if each is fast.
#[test]
fn patterns_spend_the_steps_of_the_whole_value() {
    let slow = r#"{"items": {"pattern": "^(a+)+$"}}"#;
    let text = |count| list(count, |_| format!("\"{}b\"", "a".repeat(15)));
    let (fits, one) = checked(slow, &text(1));
    assert!(matches!(fits, Ok(false)) && one > 10_000, "{one}");
    let message = limit(checked(slow, &text(2_000)).0);
    assert!(message.contains("limit: expected at most 3432064 steps of validation"), "{message}");
}

// SPEC 6.4: comparing a group counts as steps in proportion to its length.
#[test]
fn references_back_count_by_length() {
    let text = format!("\"{}b\"", "a".repeat(200_000));
    let message = limit(checked(r#"{"pattern": "^(a*)\\1$"}"#, &text).0);
    assert!(message.contains("to be decided in 1000000 steps"), "{message}");
}

// SPEC 6.4: the check stops when the report is full.
#[test]
fn a_full_report_ends_the_check() {
    let names = list(20, |i| format!("\"f{i}\""));
    let schema = format!("{{\"items\": {{\"required\": {names}}}}}");
    let (fits, steps) = checked(&schema, &list(60_000, |_| "{}".to_owned()));
    assert!(matches!(fits, Err(SchemaFault::Full)) && steps < 10, "{steps}");
    let nested = format!(
        "{{\"items\": {{\"anyOf\": [{{\"required\": {names}}}, {{\"required\": [\"g\"], \"minProperties\": 3}}]}}}}"
    );
    let (fits, steps) = checked(&nested, &list(60_000, |_| "{}".to_owned()));
    assert!(matches!(fits, Err(SchemaFault::Full)) && steps < 20_000, "{steps}");
}
