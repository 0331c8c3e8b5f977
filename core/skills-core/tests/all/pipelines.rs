//! The inputs and paths of steps: each fault with the bytes it points to, and valid examples.
#![cfg(unix)] // as the directories of examples

use crate::flow::{self, behind, clean, found, refused, with};

// SPEC 5.5
#[test]
fn arguments_have_the_type_of_the_callee() {
    for (arguments, expected) in [
        (
            r#""limit": "{{input.topic}}""#,
            "input.topic @ the argument `limit` of `search` must be an integer, but this is a string",
        ),
        (
            r#""limit": "at most {{input.n}}""#,
            "\"at most {{input.n}}\" @ must be an integer, but this is a string",
        ),
        (r#""limit": "{{input.list}}""#, "input.list @ must be an integer, but this is an array"),
        (r#""limit": "{{input.n | json}}""#, "input.n | json @ must be an integer, but this is a string"),
        (r#""tags": "{{input.topic}}""#, "input.topic @ must be an array, but this is a string"),
        (
            r#""tags": "{{input.people | map: age}}""#,
            "input.people | map: age @ `tags[]` of `search` must be a string, but this is an integer or null",
        ),
        (
            r#""tags": ["a", "{{input.n}}"]"#,
            "input.n @ the argument `tags.1` of `search` must be a string, but this is an integer",
        ),
        (
            r#""tags": { "a": 1 }"#,
            " @ the argument `tags` of `search` must be an array, but this is an object",
        ),
        (r#""mode": "{{input.kind}}""#, "input.kind @ must be \"fast\" or \"deep\", but this is a string"),
        (r#""mode": "{{'slow'}}""#, "'slow' @ must be \"fast\" or \"deep\", but this is the string \"slow\""),
        (r#""either": "{{input.yes}}""#, "input.yes @ must be a string or an array, but this is a boolean"),
        (
            r#""either": "{{input.list}}""#,
            "input.list @ `either[]` of `search` must be an integer, but this is a string",
        ),
        (
            r#""maybe": "{{input.n || 'x'}}""#,
            "input.n || 'x' @ must be a boolean or null, but this is an integer or a string",
        ),
        (
            r#""options": "{{input.o}}""#,
            "input.o @ `options.deep` of `search` must be a boolean, but this is a string",
        ),
        (
            r#""options": { "deep": true, "level": "{{input.list | join}}" }"#,
            "input.list | join @ `options.level` of `search` must be an integer, but this is a string",
        ),
    ] {
        let expected = format!("step-argument-type @ {expected}");
        refused(&with(arguments), &[&expected]);
    }
}

// SPEC 5.5
#[test]
fn arguments_are_present_and_known_at_any_depth() {
    refused(
        &with(r#""options": { "level": 1 }"#),
        &["step-argument @  @ `search` requires the argument `options.deep`"],
    );
    refused(
        &with(r#""options": { "deep": true, "depth": "{{input.n}}" }"#),
        &["step-argument @ \"depth\" @ `search` has no argument `options.depth`"],
    );
    refused(
        r#""output": {}, "pipeline": [{ "step": "a", "skill": "search", "input": { "qwery": "{{input.topic}}" } }]"#,
        &["step-argument @ \"qwery\" @ has no argument `qwery`"],
    );
    // The schema accepts any other key, but this one is close to one that it declares.
    refused(
        r#""output": {}, "pipeline": [{ "step": "a", "skill": "sum", "input": { "txt": "x" } }]"#,
        &["step-argument @ \"txt\" @ `sum` declares no argument `txt`"],
    );
    clean(
        r#""output": {}, "pipeline": [{ "step": "a", "skill": "sum", "input": { "text": "x", "tone": "dry" } }]"#,
    );
}

// SPEC 5.5
#[test]
fn literals_are_checked_by_the_whole_schema() {
    for (arguments, expected) in [
        (r#""limit": 50"#, "50 @ the argument `limit` of `search`: maximum: expected at most 10, found 50"),
        (r#""limit": "3""#, "\"3\" @ `limit` of `search`: type: expected an integer"),
        (r#""mode": "slow""#, "\"slow\" @ `mode` of `search`: enum"),
        (r#""tags": ["ok", "Not"]"#, "\"Not\" @ `tags.1` of `search`: pattern"),
        (r#""tags": ["ok", "Not", "{{input.topic}}"]"#, "\"Not\" @ `tags.1` of `search`: pattern"),
        (r#""options": { "deep": 1 }"#, "1 @ `options.deep` of `search`: type"),
        (r#""either": [1, "a"]"#, "\"a\" @ `either.1` of `search`: type"),
    ] {
        refused(&with(arguments), &[&format!("step-argument-type @ {expected}")]);
    }
    let empty = r#""output": {}, "pipeline": [{ "step": "a", "skill": "search", "input": { "query": "" } }]"#;
    refused(empty, &["step-argument-type @ \"\" @ `query` of `search`: minLength"]);
}

// SPEC 5.5
#[test]
fn values_that_may_fit_pass() {
    for arguments in [
        r#""limit": "{{input.x}}", "ratio": "{{input.n}}""#,
        r#""limit": "{{input.nothing}}", "tags": "{{input.nothing}}""#,
        r#""limit": "{{input.open.b}}", "tags": ["{{input.open.c.d}}"]"#,
        r#""limit": "{{input.topic | size}}", "ratio": "{{input.x | round: 2}}""#,
        r#""mode": "{{input.mode}}""#,
        r#""tags": "{{input.people | map: name}}", "either": "{{input.union}}""#,
        r#""tags": "{{input.union}}", "any": "{{input}}""#,
        r#""limit": 3, "mode": "deep", "tags": ["a"], "either": [1, 2], "maybe": null, "options": { "deep": true }"#,
        r#""limit": 3.0, "options": { "deep": "{{input.yes}}", "level": "{{input.n}}" }"#,
        r#""tags": "{{input.list | slice: 0: 2 | sort | uniq}}", "limit": "{{input.people | first | json | size}}""#,
        r#""maybe": "{{input.nothing | size}}""#,
        r#""any": { "a": [1, { "b": "{{input.list.0}}" }] }, "maybe": "{{input.nothing || null}}""#,
    ] {
        clean(&with(arguments));
    }
    refused(&with(r#""limit": "{{input.absent || 3}}""#), &["template-path @ absent @ no property `absent`"]);
}

// SPEC 5.5
#[test]
fn paths_are_followed_through_references_and_unions() {
    for (text, expected) in [
        ("{{steps.a.results.0.titel}}", "titel @ the schema has no property `titel`"),
        ("{{steps.a.results | map: titel | join}}", "titel @ the schema has no property `titel`"),
        (
            "{{steps.a.results | where: 'skore': 1 | first | json}}",
            "'skore' @ the schema has no property `skore`",
        ),
        ("{{steps.a.results.title}}", "title @ an array has no property `title`"),
        ("{{steps.a.results.length}}", "length @ an array has no property `length`"),
        ("{{input.topic.x}}", "x @ a string has no property `x`"),
        ("{{input.list | map: x | join}}", "x @ a string has no property `x`"),
        ("{{item}}", "item @ `item` is not available in this template"),
        ("{{steps.b.summary}}", "b @ no step `b` runs before this one"),
        ("{{steps.c}}", "c @ no step `c` runs before this one"),
        ("{{steps.a.total.x}}", "x @ an integer has no property `x`"),
    ] {
        let input = format!(r#""input": {{ "text": "é\n{text}" }}"#);
        refused(&behind(&input), &[&format!("template-path @ {expected}")]);
    }
    for text in [
        "{{steps.a.results.0.title}}",
        "{{input.union.0}}",
        "{{steps.a.note}}",
        "{{steps.a.results.0.score | json}}",
    ] {
        clean(&behind(&format!(r#""input": {{ "text": "{text}" }}"#)));
    }
}

// SPEC 5.7
#[test]
fn a_loop_goes_through_an_array() {
    for (keys, expected) in [
        (
            r#""foreach": "{{steps.a}}", "input": { "text": "x" }"#,
            "template-list @ steps.a @ `foreach` requires an array, but this is an object",
        ),
        (
            r#""foreach": "steps.a.results", "input": { "text": "x" }"#,
            "template-list @ \"steps.a.results\" @ this is the string \"steps.a.results\"",
        ),
        (
            r#""foreach": "{{steps.a.results}}", "input": { "text": "{{item.titl}}" }"#,
            "template-path @ titl @ no property `titl`",
        ),
        (
            r#""foreach": "{{steps.a.results}}", "input": { "text": "{{item.score}}" }"#,
            "step-argument-type @ item.score @ must be a string, but this is a number",
        ),
        (
            r#""foreach": "{{steps.a.results}}", "input": { "text": "{{index}}" }"#,
            "step-argument-type @ index @ must be a string, but this is an integer",
        ),
        (
            r#""foreach": "{{steps.a.results}}", "input": { "text": "{{index.x}}" }"#,
            "template-path @ x @ an integer has no property `x`",
        ),
    ] {
        refused(&behind(keys), &[expected]);
    }
    clean(&behind(r#""foreach": "{{steps.a.results}}", "input": { "text": "{{index}} {{item.title}}" }"#));
    clean(&behind(r#""foreach": "{{input.nothing}}", "input": { "text": "{{item.title}}" }"#));
    let read = |path: &str, extra: &str| {
        format!(
            r#""output": {{}}, "pipeline": [
              {{ "step": "a", "skill": "sum", "foreach": "{{{{input.list}}}}", "input": {{ "text": "{{{{item}}}}" }}{extra} }},
              {{ "step": "b", "skill": "sum", "input": {{ "text": "{{{{{path}}}}}" }} }}]"#
        )
    };
    clean(&read("steps.a.results.0.summary", ""));
    clean(&read("steps.a.results | map: summary | join", ""));
    clean(&read("steps.a.results.0._error", r#", "continueOnError": true"#));
    refused(&read("steps.a.summary", ""), &["template-path @ summary @ no property `summary`"]);
    refused(&read("steps.a.results.0._error", ""), &["template-path @ _error @ no property `_error`"]);
    refused(
        &read("steps.a.results", ""),
        &["step-argument-type @ steps.a.results @ must be a string, but this is an array"],
    );
}

// SPEC 5.7
#[test]
fn a_step_that_continues_on_error_may_have_failed() {
    let read = |path: &str| {
        format!(
            r#""output": {{}}, "pipeline": [
              {{ "step": "a", "skill": "sum", "input": {{ "text": "x" }}, "continueOnError": true }},
              {{ "step": "b", "skill": "sum", "input": {{ "text": "{{{{{path}}}}}" }} }}]"#
        )
    };
    clean(&read("steps.a.summary"));
    clean(&read("steps.a._error"));
    refused(
        &read("steps.a._failed"),
        &["step-argument-type @ steps.a._failed @ must be a string, but this is a boolean"],
    );
    refused(&read("steps.a.sumary"), &["template-path @ sumary @ no property `sumary`"]);
}

// SPEC 5.5
#[test]
fn the_skills_of_this_repository_are_valid() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills");
    let loaded = skills_core::load(&root, "skills", &Default::default());
    assert!(loaded.catalog.skills().iter().any(|skill| skill.name == "research_and_summarize"));
    let titles: Vec<&str> = loaded.report.diagnostics.iter().map(|found| found.title.as_str()).collect();
    assert_eq!(titles, [] as [&str; 0]);
}

// SPEC 3.1: a misspelt key is reported, and not its consequences.
#[test]
fn a_misspelt_key_is_read_as_the_meant_one() {
    let steps = r#"[{ "step": "s", "skill": "search", "input": { "query": "a" } }]"#;
    let output =
        r#""output": { "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] }"#;
    for misspelt in [
        format!(r#"{output}, "pipelin": {steps}, "outputMapping": {{ "n": "{{{{steps.s.total}}}}" }}"#),
        format!(r#"{output}, "pipeline": {steps}, "outputMaping": {{ "n": "{{{{steps.s.total}}}}" }}"#),
    ] {
        let codes: Vec<String> = flow::reports(&misspelt).into_iter().map(|(code, ..)| code).collect();
        assert_eq!(codes, ["manifest-unknown-key"], "{misspelt}");
    }
}

// SPEC 5.4: an empty condition is reported instead of being always true
#[test]
fn an_empty_condition_is_refused() {
    let pipeline = r#""output": {}, "pipeline": [{ "step": "a", "skill": "search", "input": { "query": "x" }, "condition": "" }]"#;
    refused(pipeline, &["template-syntax @  @ expected a path or a literal"]);
}

// SPEC 3.6: calls lead to known skills without cycles, which are printed; a step uses only skills in `calls`
#[test]
fn calls_are_known_and_without_cycles() {
    let skill = |name: &str, rest: &str| {
        format!(
            r#"{{"name": "{name}", "description": "Does it.", "category": "c", "mode": "code", "input": {{}}, "output": {{}}, {rest}}}"#
        )
    };
    let reported = found(&[
        ("a/skill.json", &skill("a", r#""calls": ["b"]"#)),
        ("b/skill.json", &skill("b", r#""calls": ["c", "nobody"]"#)),
        ("c/skill.json", &skill("c", r#""calls": ["a"]"#)),
        (
            "d/skill.json",
            &skill("d", r#""pipeline": [{"step": "s", "skill": "c", "input": {}}]"#)
                .replace("code", "composite"),
        ),
    ]);
    let titles: Vec<&str> = reported.iter().map(|(_, _, title)| title.as_str()).collect();
    for expected in [
        "skills call each other in a circle: `a` -> `b` -> `c` -> `a`",
        "`calls` names an unknown skill: `nobody`",
        "the step uses `c`, which is not in `calls`",
    ] {
        assert_eq!(titles.iter().filter(|title| **title == expected).count(), 1, "{expected}\n{titles:#?}");
    }
}

// SPEC 12.1: a long chain of filters is an error of its step, and does not crash
#[test]
fn a_long_chain_of_filters_is_refused() {
    let argument = format!("{{{{input.topic{}}}}}", " | upcase".repeat(4_000));
    let pipeline = format!(
        r#""output": {{}}, "pipeline": [{{ "step": "a", "skill": "search", "input": {{ "query": "{argument}" }} }}]"#
    );
    let codes: Vec<String> = flow::reports(&pipeline).into_iter().map(|(code, ..)| code).collect();
    assert_eq!(codes, ["template-syntax"]);
}
