//! Writes a pipeline around two skills to disk and checks it, for the tests of pipelines.
#![allow(clippy::unwrap_used, reason = "a test without its material must fail")]

use crate::disk::Disk;

/// The skill that the steps use.
const SEARCH: &str = r##"{
  "name": "search", "description": "Searches.", "category": "web", "mode": "code",
  "input": {
    "type": "object", "required": ["query"], "additionalProperties": false,
    "properties": {
      "query": { "$ref": "#/definitions/text" },
      "limit": { "type": "integer", "minimum": 1, "maximum": 10 },
      "ratio": { "type": "number" },
      "mode": { "enum": ["fast", "deep"] },
      "tags": { "type": "array", "items": { "type": "string", "pattern": "^[a-z]+$" } },
      "either": { "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "integer" } }] },
      "maybe": { "type": ["boolean", "null"] },
      "options": {
        "type": "object", "required": ["deep"], "additionalProperties": false,
        "properties": { "deep": { "type": "boolean" }, "level": { "type": "integer" } }
      },
      "any": {}
    },
    "definitions": { "text": { "type": "string", "minLength": 1 } }
  },
  "output": {
    "type": "object", "required": ["results", "total"],
    "properties": {
      "results": { "type": "array", "items": { "$ref": "#/definitions/hit" } },
      "total": { "type": "integer" },
      "note": { "type": ["string", "null"] }
    },
    "definitions": {
      "hit": {
        "type": "object", "required": ["title", "score"],
        "properties": { "title": { "type": "string" }, "score": { "type": "number" }, "snippet": { "type": "string" } }
      }
    }
  }
}"##;

/// A prompt, so that it runs no code.
const SUM: &str = r#"{
  "name": "sum", "description": "Sums up.", "category": "text", "mode": "llm",
  "input": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] },
  "output": { "type": "object", "properties": { "summary": { "type": "string" } }, "required": ["summary"] }
}"#;

pub(crate) const FLOW_INPUT: &str = r#"{
  "type": "object", "required": ["topic", "n"],
  "properties": {
    "topic": { "type": "string" }, "n": { "type": "integer" }, "x": { "type": "number" }, "yes": { "type": "boolean" },
    "list": { "type": "array", "items": { "type": "string" } },
    "people": { "type": "array", "items": { "type": "object", "properties": { "name": { "type": "string" }, "age": { "type": "integer" } } } },
    "kind": { "enum": ["slow", "steady"] }, "mode": { "enum": ["fast", "slow"] },
    "o": { "type": "object", "properties": { "deep": { "type": "string" } }, "required": ["deep"] },
    "open": { "type": "object", "properties": { "a": { "type": "string" } }, "additionalProperties": true },
    "union": { "oneOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] },
    "nothing": {}
  }
}"#;

/// Returns the reports of a skill `flow` with this text after its mode: code, marked bytes, title.
pub(crate) fn reports(rest: &str) -> Vec<(String, String, String)> {
    let flow = format!(
        r#"{{ "name": "flow", "description": "Flows.", "category": "web", "calls": ["search", "sum"], "input": {FLOW_INPUT}, "mode": "composite", {rest} }}"#
    );
    found(&[
        ("search/skill.json", SEARCH),
        ("sum/skill.json", SUM),
        ("sum/prompt.md", "Sum up {{input.text}}.\n"),
        ("flow/skill.json", &flow),
    ])
}

pub(crate) fn found(files: &[(&str, &str)]) -> Vec<(String, String, String)> {
    let disk = Disk::new(files);
    let loaded = skills_core::load(&disk.root(), "skills", &Default::default());
    let sources = loaded.catalog.sources();
    let reported = loaded.report.diagnostics.iter().map(|found| {
        assert!(!found.help.is_empty(), "{}", found.title);
        (found.rule.code.to_owned(), sources.text(found.span).to_owned(), found.title.clone())
    });
    reported.collect()
}

/// Returns a step `a` of `search` with these arguments besides the query.
pub(crate) fn with(arguments: &str) -> String {
    format!(
        r#""output": {{}}, "pipeline": [{{ "step": "a", "skill": "search", "input": {{ "query": "q", {arguments} }} }}]"#
    )
}

/// Returns a step `a` of `search`, and a step `b` of `sum` with these keys.
pub(crate) fn behind(keys: &str) -> String {
    format!(
        r#""output": {{}}, "pipeline": [
            {{ "step": "a", "skill": "search", "input": {{ "query": "{{{{input.topic}}}}" }} }},
            {{ "step": "b", "skill": "sum", {keys} }}]"#
    )
}

#[track_caller]
pub(crate) fn clean(rest: &str) {
    assert_eq!(reports(rest), [], "{rest}");
}

/// Checks the reports of a skill; each expectation is `CODE @ BYTES @ PART OF THE TITLE`.
#[track_caller]
pub(crate) fn refused(rest: &str, expected: &[&str]) {
    let found = reports(rest);
    assert_eq!(found.len(), expected.len(), "{rest}: {found:?}");
    for ((code, text, title), expected) in found.iter().zip(expected) {
        let mut parts = expected.split(" @ ");
        assert_eq!(Some(code.as_str()), parts.next(), "{rest}: {found:?}");
        assert_eq!(Some(text.as_str()), parts.next(), "{rest}: {found:?}");
        let wanted = parts.next().unwrap();
        assert!(title.contains(wanted), "{rest}: {title} / {wanted}");
    }
}
