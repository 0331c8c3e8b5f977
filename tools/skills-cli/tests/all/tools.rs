//! `skills tools`: the skills that are printed for an interface, their form, and the reports about the others.
#![allow(clippy::unwrap_used, reason = "a test without its files must fail")]
#![cfg(unix)] // a program has its bit

use serde_json::{Value, json};

use crate::command::{Place, Run};

const FORMATS: [&str; 5] = ["openai", "openai-responses", "anthropic", "mcp", "gemini"];

fn manifest(name: &str, mode: &str, more: &str) -> String {
    format!(
        r#"{{"name": "{name}", "description": "Does it.", "category": "math", "mode": "{mode}", "output": true, {more}}}"#
    )
}

/// A function for a model, one for a host, one that models are not shown, one behind a capability, and prose.
fn place() -> Place {
    let input = r#""input": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}"#;
    Place::new(&[
        ("s/ask/skill.json", &manifest("ask", "llm", input)),
        ("s/ask/prompt.md", "Ask.\n"),
        ("s/host_only/skill.json", &manifest("host_only", "code", r#""input": {}"#)),
        ("s/inner/skill.json", &manifest("inner", "llm", r#""input": {}, "tags": ["internal"]"#)),
        ("s/inner/prompt.md", "Think.\n"),
        ("s/word/skill.json", &manifest("word", "llm", r#""input": {"type": "string"}"#)),
        ("s/word/prompt.md", "Think.\n"),
        ("s/prose/SKILL.md", "---\nname: prose\ndescription: Is prose.\n---\n# Prose\n"),
        ("s/3d/SKILL.md", "---\nname: 3d\ndescription: Draws.\nexec: draw\nschema: in.json\n---\n# Draw\n"),
        ("s/3d/bin/draw", "#!/bin/sh\ncat\n"),
        ("s/3d/in.json", r#"{"type": "object"}"#),
        (
            "s/gated/SKILL.md",
            "---\nname: gated\ndescription: Is gated.\nexec: run\nschema: in.json\nrequires: cap:root\n---\n# Run\n",
        ),
        ("s/gated/bin/run", "#!/bin/sh\ncat\n"),
        ("s/gated/in.json", r#"{"type": "object"}"#),
    ])
}

fn run(place: &Place, more: &[&str]) -> Run {
    place.run(&[&["tools", "s"], more].concat())
}

/// The names of the tools, however the interface calls them.
fn names(run: &Run) -> Vec<String> {
    let tools: Value = serde_json::from_str(&run.out).unwrap();
    let name = |tool: &Value| tool.get("function").unwrap_or(tool)["name"].as_str().unwrap().to_owned();
    tools.as_array().unwrap().iter().map(name).collect()
}

// SPEC 8.1: the catalog names the functions that it leaves out; a skill that models are not shown does not count
#[test]
fn a_prompt_says_how_many_functions_are_tools() {
    let place = place();
    let said =
        "note: 1 function without a SKILL.md is offered as a tool, see `skills tools --format openai`\n";
    let run = place.run(&["prompt", "s"]);
    assert!(run.code == 0 && run.err.ends_with(said) && !run.out.contains("<name>ask"), "{run:?}");
}

// SPEC 6.3, to the byte.
#[test]
fn a_tool_is_printed_in_the_shape_of_its_interface() {
    let place = place();
    let remove = |dirs: &[&str]| {
        dirs.iter().for_each(|dir| std::fs::remove_dir_all(place.path(dir)).unwrap());
    };
    remove(&["s/host_only", "s/word", "s/3d"]);
    let run = run(&place, &["--format", "anthropic"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert_eq!(
        run.out,
        r#"[
  {
    "name": "ask",
    "description": "Does it.",
    "input_schema": {
      "type": "object",
      "properties": {
        "a": {
          "type": "integer"
        }
      },
      "required": [
        "a"
      ]
    }
  }
]
"#
    );
    let input = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]});
    let mut closed = input.clone();
    closed["additionalProperties"] = false.into();
    let mut marked = input.clone();
    marked["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    let integer = json!({"type": "INTEGER"});
    let shouted = json!({"type": "OBJECT", "properties": {"a": integer}, "required": ["a"]});
    let named = |more: Value| {
        let mut tool = json!({"name": "ask", "description": "Does it."});
        tool.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        tool
    };
    for (format, wanted) in [
        ("openai", json!({"type": "function", "function": named(json!({"parameters": input}))})),
        ("openai-responses", named(json!({"type": "function", "parameters": closed, "strict": true}))),
        ("anthropic", named(json!({"input_schema": input}))),
        ("mcp", named(json!({"inputSchema": marked}))),
        ("gemini", named(json!({"parameters": shouted}))),
    ] {
        let printed: Value = serde_json::from_str(&self::run(&place, &["--format", format]).out).unwrap();
        assert_eq!(printed, json!([wanted]), "{format}");
    }
    remove(&["s/ask"]);
    assert_eq!(self::run(&place, &["--format", "mcp"]).out, "[]\n");
}

// SPEC 2.9, 6.2, 6.3
#[test]
fn skills_that_are_left_out_are_reported() {
    let place = place();
    for format in FORMATS {
        let without = run(&place, &["--format", format]);
        let with = run(&place, &["--format", format, "--host"]);
        let mut wanted = vec!["3d", "ask"];
        if format == "gemini" {
            wanted.remove(0);
            assert!(
                without.err.contains("`3d` is left out: the name of a Gemini tool begins with"),
                "{without:?}"
            );
        }
        assert_eq!((without.code, names(&without)), (0, wanted.iter().map(|n| (*n).to_owned()).collect()));
        assert!(without.err.contains("`host_only` (code) has no exec"), "{}", without.err);
        assert!(
            without.err.contains("`word` is left out: the input of a tool is an object"),
            "{}",
            without.err
        );
        for hidden in ["inner", "gated", "prose"] {
            assert!(!without.err.contains(hidden), "{}", without.err);
        }
        wanted.push("host_only");
        assert_eq!((with.code, names(&with)), (0, wanted.iter().map(|n| (*n).to_owned()).collect()));
        assert!(!with.err.contains("host_only"), "{}", with.err);
    }
}

#[test]
fn wrong_usage_is_reported() {
    let place = place();
    let run = |arguments: &[&str]| place.run(arguments);
    let unknown = run(&["tools", "s", "--format", "openapi"]);
    assert_eq!(unknown.code, 2);
    for format in FORMATS {
        assert!(unknown.err.contains(format), "{}", unknown.err);
    }
    assert_eq!(run(&["tools", "s"]).code, 2, "there is no default interface");
}

// SPEC 6.2: without a host, a function that a pipeline always calls needs a program, a model or a pipeline
#[test]
fn a_pipeline_needs_its_certain_callees() {
    let composite = |name: &str, callee: &str, steps: &str| {
        let more = format!(r#""input": {{"type": "object"}}, "calls": ["{callee}"], "pipeline": [{steps}]"#);
        manifest(name, "composite", &more)
    };
    let step =
        |callee: &str, more: &str| format!(r#"{{"step": "s", "skill": "{callee}", "input": {{}}{more}}}"#);
    let perhaps = step("act", r#", "condition": "{{ input.x }}""#);
    let place = Place::new(&[
        ("s/act/skill.json", &manifest("act", "code", r#""input": {"type": "object"}"#)),
        ("s/always/skill.json", &composite("always", "act", &step("act", ""))),
        ("s/above/skill.json", &composite("above", "always", &step("always", ""))),
        ("s/perhaps/skill.json", &composite("perhaps", "act", &perhaps)),
        ("s/each/skill.json", &composite("each", "act", &step("act", r#", "foreach": "{{ input.l }}""#))),
        // After a step that may be skipped, only steps that need its result may be skipped, too.
        (
            "s/later/skill.json",
            &composite(
                "later",
                "act",
                &[&perhaps, r#"{"step": "t", "skill": "act", "input": {}}"#].join(", "),
            ),
        ),
        (
            "s/waits/skill.json",
            &composite(
                "waits",
                "act",
                &[&perhaps, r#"{"step": "t", "skill": "act", "input": {"x": "{{ steps.s }}"}}"#].join(", "),
            ),
        ),
        ("s/reads/skill.json", &composite("reads", "prose", &step("prose", ""))),
        ("s/prose/SKILL.md", "---\nname: prose\ndescription: Is prose.\n---\n# Prose\n"),
        (
            "s/forgiving/skill.json",
            &composite("forgiving", "act", &step("act", r#", "continueOnError": true"#)),
        ),
    ]);
    let run = run(&place, &["--format", "openai"]);
    assert_eq!(names(&run), ["each", "forgiving", "perhaps", "waits"], "{}", run.err);
    let note = "note: skill `above` calls `act`, which only a host function can run; `--host` shows it\n";
    assert!(run.err.starts_with(note), "{}", run.err);
    let prose = "note: skill `reads` is left out: each call would fail: Skill \"prose\" is not a function";
    assert!(run.err.contains(prose), "{}", run.err);
    let with_host = place.run(&["tools", "s", "--format", "openai", "--host"]);
    assert_eq!(names(&with_host).len(), 8, "{}", with_host.err);
    assert!(with_host.err.starts_with(prose), "{}", with_host.err);
}
