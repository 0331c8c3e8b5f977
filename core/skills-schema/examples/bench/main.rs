//! Compares the cost of checking a 450-byte input: this crate, a serde derive, and jsonschema on a value.
#![allow(clippy::print_stdout)]

#[path = "../../tests/random/mod.rs"]
mod random;
mod values;

use serde::Deserialize;
use skills_schema::{Slot, Tables, decode_str, is_valid_str, lower, validate_str};
use std::hint::black_box;
use std::time::Instant;

const SCHEMA: &str = r#"{"type": "object", "properties": {
    "query": {"type": "string", "minLength": 1, "maxLength": 512}, "folder": {"type": "string"},
    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
    "threshold": {"type": "number", "minimum": 0, "maximum": 1}, "recursive": {"type": "boolean", "default": false},
    "mode": {"type": "string", "enum": ["fast", "balanced", "thorough"]},
    "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 20},
    "filter": {"type": "object", "properties": {"field": {"type": "string"}, "after": {"type": "string"},
        "count": {"type": "integer"}}, "required": ["field"], "additionalProperties": false}},
    "required": ["query", "folder", "mode"], "additionalProperties": false}"#;

const INPUT: &str = r#"{
 "query": "every function of the scheduler that holds the lock of the run queue while it allocates",
 "folder": "/home/user/projects/kernel/source/scheduler/core",
 "limit": 25,
 "threshold": 0.75,
 "recursive": true,
 "mode": "thorough",
 "tags": [
  "concurrency",
  "allocation",
  "lock-order",
  "scheduler",
  "review",
  "performance",
  "regression-2026"
 ],
 "filter": {
  "field": "modified_at",
  "after": "2026-01-15T08:30:00Z",
  "count": 42
 }
}"#;

/// A typed input.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    query: String,
    folder: String,
    #[serde(default)]
    limit: u64,
    #[serde(default)]
    threshold: Option<f64>,
    #[serde(default)]
    recursive: bool,
    mode: Mode,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    filter: Option<Filter>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Fast,
    Balanced,
    Thorough,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Filter {
    field: String,
    #[serde(default)]
    after: Option<String>,
    #[serde(default)]
    count: Option<i64>,
}

fn use_up(input: Input) -> usize {
    let mode = match input.mode {
        Mode::Fast => 0,
        Mode::Balanced => 1,
        Mode::Thorough => 2,
    };
    let filter =
        input.filter.map_or(0, |f| f.field.len() + f.after.map_or(0, |a| a.len()) + f.count.map_or(0, |_| 1));
    let rest =
        usize::from(input.recursive) + usize::from(input.threshold.is_some()) + usize::from(input.limit > 3);
    input.query.len() + input.folder.len() + input.tags.len() + mode + filter + rest
}

/// Does the same as generated code: one check, then it reads fields by position, and uses defaults for absent
/// fields.
fn typed(tables: &Tables) -> Option<Input> {
    let decoded = decode_str(tables, black_box(INPUT)).ok()?;
    let names = &["query", "folder", "limit", "threshold", "recursive", "mode", "tags", "filter"];
    let [query, folder, limit, threshold, recursive, mode, tags, filter] = decoded.root().fields(names);
    let text = |slot: Slot<'_>| slot.as_str().map(str::to_owned);
    Some(Input {
        query: text(query?)?,
        folder: text(folder?)?,
        limit: limit.map_or(Some(10), Slot::as_u64)?,
        threshold: threshold.and_then(Slot::as_f64),
        recursive: recursive.and_then(Slot::as_bool).unwrap_or(false),
        mode: match mode?.position(&["fast", "balanced", "thorough"])? {
            0 => Mode::Fast,
            1 => Mode::Balanced,
            _ => Mode::Thorough,
        },
        tags: tags.map_or_else(Vec::new, |tags| {
            let mut all = Vec::with_capacity(tags.count());
            all.extend(tags.items().filter_map(text));
            all
        }),
        filter: match filter {
            None => None,
            Some(filter) => {
                let [field, after, count] = filter.fields(&["field", "after", "count"]);
                let (after, count) = (after.and_then(text), count.and_then(Slot::as_i64));
                Some(Filter { field: text(field?)?, after, count })
            }
        },
    })
}

/// Returns the shortest time of some work, in ns.
fn best(rounds: usize, work: &mut dyn FnMut() -> bool) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..rounds {
        let start = Instant::now();
        for _ in 0..64 {
            assert!(black_box(work()));
        }
        best = best.min(start.elapsed().as_secs_f64() / 64.0 * 1e9);
    }
    best
}

fn main() {
    let tables = lower::lower(SCHEMA, &lower::Options::default()).tables;
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).expect("a schema");
    let oracle = jsonschema::validator_for(&schema).expect("a schema");
    let derive = &mut || serde_json::from_str::<Input>(black_box(INPUT)).is_ok_and(|input| use_up(input) > 0);
    let base = best(20_000, derive);
    let show = |name: &str, work: &mut dyn FnMut() -> bool| {
        let time = best(20_000, work);
        println!("{name:44} {time:8.0} ns  {:5.2}", time / base);
    };
    println!("{} bytes; the last column is relative to the serde derive", INPUT.len());
    show("serde derive", derive);
    show("validate_str", &mut || validate_str(&tables, black_box(INPUT)).is_ok());
    show("decode_str into the same struct", &mut || typed(&tables).is_some_and(|input| use_up(input) > 0));
    show("decode_str alone", &mut || decode_str(&tables, black_box(INPUT)).is_ok());
    show("is_valid_str", &mut || is_valid_str(&tables, black_box(INPUT)));
    let anything = lower::lower("true", &lower::Options::default()).tables;
    show("validate_str, schema true", &mut || validate_str(&anything, black_box(INPUT)).is_ok());
    show("serde_json::Value, then jsonschema", &mut || {
        serde_json::from_str(black_box(INPUT)).is_ok_and(|value: serde_json::Value| oracle.is_valid(&value))
    });
    show("serde_json, syntax only", &mut || {
        serde_json::from_str::<serde::de::IgnoredAny>(black_box(INPUT)).is_ok()
    });
    values::compare(SCHEMA, INPUT);
}
