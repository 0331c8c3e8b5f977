//! Compares checking a JSON text with reading it by serde_json and checking it with the crate jsonschema.

use std::hint::black_box;
use std::time::Instant;

use skills_schema::lower::{DocumentOptions, lower};
use skills_schema::validate_str;

/// The input schema of a typical tool.
const SCHEMA: &str = r#"{
  "type": "object", "additionalProperties": false, "required": ["query", "directory", "mode"],
  "properties": {
    "query": {"type": "string", "minLength": 1, "maxLength": 500},
    "directory": {"type": "string"},
    "limit": {"type": "integer", "minimum": 1, "maximum": 1000},
    "threshold": {"type": "number", "minimum": 0, "maximum": 1},
    "recursive": {"type": "boolean"},
    "mode": {"enum": ["fast", "balanced", "thorough"]},
    "tags": {"type": "array", "maxItems": 20, "items": {"type": "string", "maxLength": 40}},
    "filter": {
      "type": "object", "additionalProperties": false, "required": ["field"],
      "properties": {
        "field": {"type": "string"}, "after": {"type": ["string", "null"]}, "count": {"type": "integer", "minimum": 0}
      }
    }
  }
}"#;

const INPUT: &str = r#"{
  "query": "all functions of the parser that return an error without a position", "directory": "src/parser/expressions",
  "limit": 25, "threshold": 0.75, "recursive": true, "mode": "thorough",
  "tags": ["errors", "positions", "parser", "review", "regression"],
  "filter": {"field": "modified", "after": "2026-01-15", "count": 42}
}"#;

/// Returns the best time of many short rounds, in nanoseconds per run.
fn measure(mut run: impl FnMut() -> bool) -> f64 {
    const RUNS: u32 = 50;
    let mut best = f64::MAX;
    for _ in 0..4_000 {
        let start = Instant::now();
        assert!((0..RUNS).all(|_| run()));
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(RUNS));
    }
    best
}

fn main() {
    let lowered = lower(SCHEMA, &DocumentOptions::default());
    let tables = &lowered.tables;
    // For `perf` or `valgrind --tool=callgrind`.
    if let Some(runs) = std::env::args().nth(1) {
        let runs: u32 = runs.parse().unwrap();
        return assert!((0..runs).all(|_| validate_str(tables, black_box(INPUT)).is_ok()));
    }
    let other = jsonschema::validator_for(&serde_json::from_str(SCHEMA).unwrap()).unwrap();
    let parsed = measure(|| other.is_valid(&serde_json::from_str(black_box(INPUT)).unwrap()));
    let text = measure(|| validate_str(tables, black_box(INPUT)).is_ok());
    println!("a text of {} bytes: {text:.0} ns, serde_json and jsonschema {parsed:.0} ns", INPUT.len());
    println!("= validate.text {:.3}", text / parsed);
}
