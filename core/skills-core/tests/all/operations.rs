//! Filters, conditions, prompts, the order of steps and the output: each fault with its bytes, and valid
//! examples.
#![cfg(unix)] // as the directories of examples

use skills_core::options::Options;

use crate::disk::Disk;
use crate::flow::{FLOW_INPUT, behind, clean, found, refused};

// SPEC 5.3
#[test]
fn filters_and_their_arguments_have_types() {
    for (text, expected) in [
        ("{{input.n | upcase}}", "input.n @ `upcase` requires a string, but this is an integer"),
        ("{{input.topic | join}}", "input.topic @ `join` requires an array, but this is a string"),
        ("{{input.o | map: deep | join}}", "input.o @ `map` requires an array, but this is an object"),
        (
            "{{input.list | first | round | json}}",
            "input.list | first @ `round` requires a number, but this is a string",
        ),
        ("{{input.topic | round | json}}", "input.topic @ `round` requires a number, but this is a string"),
        (
            "{{input.yes | size | json}}",
            "input.yes @ `size` requires a string, an array or an object, but this is a boolean",
        ),
        (
            "{{input.topic | slice: 'a': 2}}",
            "'a' @ the argument of `slice` must be a whole number, but this is the string \"a\"",
        ),
        (
            "{{input.topic | slice: 1.5: 2}}",
            "1.5 @ the argument of `slice` must be a whole number, but this is a number",
        ),
        (
            "{{input.topic | truncate: input.list}}",
            "input.list @ `truncate` must be a whole number, 0 or more, but this is an array",
        ),
        (
            "{{input.topic | truncate: -1}}",
            "-1 @ `truncate` must be a whole number, 0 or more, but -1 is below 0",
        ),
        ("{{input.list | join: 3}}", "3 @ the argument of `join` must be a string, but this is an integer"),
    ] {
        let input = format!(r#""input": {{ "text": "{text}" }}"#);
        refused(&behind(&input), &[&format!("template-filter-type @ {expected}")]);
    }
    for text in [
        "{{input.topic | slice: input.n: null}}",
        "{{input.x | round: 1 | json}}",
        "{{input.nothing | upcase}}",
        "{{input.union | size | json}}",
        "{{input.union | first}}",
        "{{input.list | join: input.nothing}}",
        "{{steps.a.note | upcase}}",
        "{{input.topic | truncate: 3.0}}",
    ] {
        clean(&behind(&format!(r#""input": {{ "text": "{text}" }}"#)));
    }
}

// SPEC 5.4
#[test]
fn conditions_compare_only_ordered_types() {
    for (condition, expected) in [
        ("input.topic > 3", "`>` can never compare a string with an integer"),
        ("input.list < 3", "`<` can never compare an array with an integer"),
        ("input.yes >= true", "`>=` can never compare a boolean with a boolean"),
        ("input.n <= null", "`<=` can never compare an integer with null"),
    ] {
        let step = format!(r#""condition": "{condition}", "input": {{ "text": "x" }}"#);
        refused(&behind(&step), &[&format!("template-compare @ {condition} @ {expected}")]);
    }
    for condition in [
        "input.n > 3 && input.topic < 'b'",
        "input.n == 'three' || input.list != 3",
        "input.nothing < 3",
        "(input.list | size) >= 2.5",
        "steps.a.note < 'z'",
        "!input.yes || {{steps.a.total}} > input.x",
    ] {
        clean(&behind(&format!(r#""condition": "{condition}", "input": {{ "text": "x" }}"#)));
    }
    refused(
        &behind(r#""condition": "steps.a.totl > 3", "input": { "text": "x" }"#),
        &["template-path @ totl @ no property `totl`"],
    );
}

fn giving(output: &str, rest: &str) -> String {
    format!(
        r#""output": {output}, "pipeline": [{{ "step": "a", "skill": "search", "input": {{ "query": "q" }} }}]{rest}"#
    )
}

// SPEC 5.5
#[test]
fn the_mapping_makes_the_output() {
    let output = r#"{ "type": "object", "required": ["count", "best"], "additionalProperties": false, "properties": {
        "count": { "type": "integer", "maximum": 99 },
        "best": { "type": "object", "properties": { "title": { "type": "string" } }, "required": ["title"] },
        "titles": { "type": "array", "items": { "type": "string" } } } }"#;
    for (mapping, expected) in [
        (r#"{ "count": "{{steps.a.total}}" }"#, " @ the output requires `best`"),
        (
            r#"{ "count": "{{steps.a.total}}", "best": { "titel": "x" } }"#,
            "\"titel\" @ the output declares no `best.titel`",
        ),
        (
            r#"{ "count": "{{steps.a.total}}", "best": "{{steps.a.results.0}}", "more": 1 }"#,
            "\"more\" @ the output has no `more`",
        ),
        (
            r#"{ "count": "{{steps.a.note}}", "best": "{{steps.a.results.0}}" }"#,
            "steps.a.note @ `count` of the output must be an integer, but this is a string or null",
        ),
        (r#"{ "count": 100, "best": "{{steps.a.results.0}}" }"#, "100 @ `count` of the output: maximum"),
        (
            r#"{ "count": 1, "best": { "title": "{{steps.a.total}}" } }"#,
            "steps.a.total @ `best.title` of the output must be a string, but this is an integer",
        ),
        (
            r#"{ "count": 1, "best": "{{steps.a}}" }"#,
            "steps.a @ `best.title` of the output can never be present",
        ),
        (
            r#"{ "count": 1, "best": "{{steps.a.results.0}}", "titles": "{{steps.a.results | map: score}}" }"#,
            "steps.a.results | map: score @ `titles[]` of the output must be a string, but this is a number",
        ),
    ] {
        let rest = format!(r#", "outputMapping": {mapping}"#);
        refused(&giving(output, &rest), &[&format!("output-mapping @ {expected}")]);
    }
    let mapping = r#", "outputMapping": { "count": "{{steps.a.total}}", "best": "{{steps.a.results | first}}", "titles": "{{steps.a.results | map: title}}" }"#;
    clean(&giving(output, mapping));
    let optional = r#"{ "type": "object", "properties": { "count": {}, "summary": {} } }"#;
    let rest = r#", "outputMapping": { "count": 1, "sumary": "x", "other": "y" }"#;
    refused(&giving(optional, rest), &["output-mapping @ \"sumary\" @ the output declares no `sumary`"]);
    let open = optional.replace(" } }", " }, \"additionalProperties\": {} }");
    clean(&giving(&open, rest));
    let rest = r#", "outputMapping": { "count": "{{item}}", "best": "{{steps.a.results.0}}" }"#;
    refused(&giving(output, rest), &["template-path @ item @ `item` is not available in this template"]);
}

// SPEC 5.7
#[test]
fn without_a_mapping_the_last_step_makes_the_output() {
    clean(&giving(
        r#"{ "type": "object", "properties": { "total": { "type": "integer" } }, "required": ["total"] }"#,
        "",
    ));
    clean(&giving(r#"{}"#, ""));
    refused(
        &giving(
            r#"{ "type": "object", "properties": { "total": { "type": "string" } }, "required": ["total"] }"#,
            "",
        ),
        &[
            "output-mapping @ \"search\" @ `total` of the output must be a string, but this is an integer; it is the output of the last step",
        ],
    );
    refused(
        &giving(
            r#"{ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] }"#,
            "",
        ),
        &[
            "output-mapping @ \"search\" @ `text` of the output can never be present; it is the output of the last step",
        ],
    );
    // A skipped step leaves the output of the step before it.
    let skipped = r#""output": { "type": "object", "required": ["total"] }, "pipeline": [
        { "step": "a", "skill": "search", "input": { "query": "q" } },
        { "step": "b", "skill": "sum", "condition": "input.yes", "input": { "text": "x" } }]"#;
    clean(skipped);
}

// SPEC 5.6
#[test]
fn depends_names_steps_before() {
    let pipeline = |depends: &str| {
        format!(
            r#""output": {{}}, "pipeline": [
            {{ "step": "one", "skill": "sum", "input": {{ "text": "x" }} }},
            {{ "step": "two", "skill": "sum", "input": {{ "text": "x" }}, "depends": [{depends}] }},
            {{ "step": "three", "skill": "sum", "input": {{ "text": "x" }} }}]"#
        )
    };
    clean(&pipeline("\"one\""));
    refused(&pipeline("\"on\""), &["step-depends @ \"on\" @ no step `on` runs before this one"]);
    refused(&pipeline("\"two\""), &["step-depends @ \"two\" @ the step `two` cannot wait for itself"]);
    refused(&pipeline("\"three\""), &["step-depends @ \"three\" @ the step `three` runs after this one"]);
}

// SPEC 5.8
#[test]
fn prompts_are_typed() {
    let schema = |prompt: &str| {
        let skill = format!(
            r#"{{ "name": "ask", "description": "Asks.", "category": "text", "mode": "llm", "input": {FLOW_INPUT}, "output": {{}} }}"#
        );
        found(&[("ask/skill.json", &skill), ("ask/prompt.md", prompt)])
    };
    for (prompt, code, text, part) in [
        (
            "{{#each input.topic}}x{{/each}}",
            "template-list",
            "input.topic",
            "`#each` requires an array, but this is a string",
        ),
        ("{{#each input.people}}{{item.nme}}{{/each}}", "template-path", "nme", "no property `nme`"),
        (
            "{{#each input.people}}{{item.age | upcase}}{{/each}}",
            "template-filter-type",
            "item.age",
            "`upcase` requires a string",
        ),
        (
            "{{#each input.list}}{{index | upcase}}{{/each}}",
            "template-filter-type",
            "index",
            "`upcase` requires a string",
        ),
        ("{{#each input.list}}{{/each}}{{item}}", "template-path", "item", "not available in this template"),
        ("{{#if input.tpic}}x{{/if}}", "template-path", "tpic", "no property `tpic`"),
        ("{{input.n | join}}", "template-filter-type", "input.n", "`join` requires an array"),
        (
            "{{#each input.people}}{{#each item.name}}x{{/each}}{{/each}}",
            "template-list",
            "item.name",
            "`#each` requires",
        ),
    ] {
        let found = schema(prompt);
        assert_eq!(found.len(), 1, "{prompt}: {found:?}");
        assert_eq!((found[0].0.as_str(), found[0].1.as_str()), (code, text), "{prompt}");
        assert!(found[0].2.contains(part), "{prompt}: {}", found[0].2);
    }
    let good = "{{#each input.people}}{{index}}. {{item.name | upcase}} {{#if item.age}}{{item.age}}{{/if}}{{/each}}\
        {{#each input.union}}{{item}}{{/each}}{{#each input.nothing}}{{item.x.y}}{{/each}}{{#each input.open.b}}{{item}}{{/each}}";
    assert_eq!(schema(good), []);
}

// SPEC 5.5: a path without its first name is reported if a schema declares the name, not if it only allows it
#[test]
fn a_path_without_its_first_name_is_reported() {
    let help = |rest: &str, path: &str| {
        let skill = format!(
            r#"{{ "name": "ask", "description": "Asks.", "category": "text", "mode": "llm", "output": {{}},
                "input": {{ "type": "object", "properties": {{ "text": {{ "type": "string" }} }}{rest} }} }}"#
        );
        let prompt = format!("{{{{{path}}}}}\n");
        let disk = Disk::new(&[("ask/skill.json", skill.as_str()), ("ask/prompt.md", prompt.as_str())]);
        let loaded = skills_core::load(&disk.root(), "skills", &Options::default());
        let found: Vec<_> = loaded.report.diagnostics.iter().map(|found| found.help.clone()).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].clone()
    };
    for rest in ["", r#", "additionalProperties": true"#, r#", "additionalProperties": { "type": "string" }"#]
    {
        assert_eq!(help(rest, "text"), "change it to `input.text`", "{rest}");
        assert_eq!(help(rest, "inputs.text"), "change it to `input`", "{rest}");
    }
}

// SPEC 5.5
#[test]
fn schemas_are_read_by_their_draft() {
    let asked = |schema: &str, prompt: &str| {
        let skill = format!(
            r#"{{ "name": "ask", "description": "Asks.", "category": "text", "mode": "llm", "input": {schema}, "output": {{}} }}"#
        );
        let found = found(&[("ask/skill.json", &skill), ("ask/prompt.md", prompt)]);
        let of_templates = found.into_iter().filter(|(code, ..)| code.starts_with("template-"));
        of_templates.map(|(_, text, _)| text).collect::<Vec<_>>()
    };
    let beside = |draft: &str| {
        format!(
            r##"{{ "$schema": "{draft}", "type": "object", "properties": {{ "a": {{ "$ref": "#/properties/b", "properties": {{ "own": {{ "type": "string" }} }} }},
                "b": {{ "type": "object", "properties": {{ "x": {{ "type": "integer" }} }} }} }} }}"##
        )
    };
    let modern = beside("https://json-schema.org/draft/2020-12/schema");
    assert_eq!(asked(&modern, "{{input.a.own}} {{input.a.x}} {{input.a.z}}"), ["z"]);
    let old = beside("http://json-schema.org/draft-07/schema#");
    assert_eq!(asked(&old, "{{input.a.own}} {{input.a.x}}"), ["own"]);

    for (schema, prompt, expected) in [
        // Keywords that may add members leave the object open.
        (
            r#"{ "properties": { "a": {} }, "additionalProperties": { "type": "array" } }"#,
            "{{input.b | size}}{{input.b | upcase}}",
            vec!["input.b"],
        ),
        (r#"{ "properties": { "a": {} }, "patternProperties": { "^b": {} } }"#, "{{input.b.c}}", vec![]),
        (
            r#"{ "properties": { "a": {} }, "if": { "required": ["a"] }, "then": { "properties": { "b": {} } } }"#,
            "{{input.b}}",
            vec![],
        ),
        (r#"{ "properties": { "a": {} }, "additionalProperties": false }"#, "{{input.b}}", vec!["b"]),
        (
            r#"{ "properties": { "a": {} }, "anyOf": [{ "required": ["a"] }, { "properties": { "b": {} } }] }"#,
            "{{input.b}}{{input.c}}",
            vec!["c"],
        ),
        (
            r#"{ "allOf": [{ "properties": { "a": { "type": "string" } } }, { "properties": { "b": { "type": "integer" } } }] }"#,
            "{{input.a | upcase}}{{input.b | upcase}}{{input.c}}",
            vec!["input.b", "c"],
        ),
        // A default of another kind is inserted anyway; a default that fits leaves the type unchanged.
        (
            r#"{ "properties": { "a": { "type": "object", "properties": { "x": {} }, "default": {} } } }"#,
            "{{input.a.y}}",
            vec!["y"],
        ),
        (
            r#"{ "properties": { "a": { "type": "integer", "default": "none" } } }"#,
            "{{input.a | upcase}}{{input.a | join}}",
            vec!["input.a"],
        ),
        // Elements by position, and elements after the tuple.
        (
            r#"{ "properties": { "a": { "type": "array", "items": [{ "type": "string" }, { "type": "integer" }], "additionalItems": { "type": "boolean" } } } }"#,
            "{{input.a.0 | upcase}}{{input.a.1 | round}}{{input.a.1 | upcase}}{{input.a.7 | size}}",
            vec!["input.a.1", "input.a.7"],
        ),
        // A type without values is reported by the rules for schemas.
        (
            r#"{ "properties": { "a": false, "b": { "type": "string", "enum": [1] } } }"#,
            "{{input.a.x}}{{input.b | join}}",
            vec![],
        ),
    ] {
        assert_eq!(asked(schema, prompt), expected, "{schema}");
    }
}

// SPEC 5.5
#[test]
fn recursive_schemas_end() {
    let branches = r##"{ "$ref": "#/definitions/tree" }, { "$ref": "#/definitions/leaf" }, { "$ref": "#/definitions/tree" }"##;
    let deep = format!("{{{{input.t{}.z}}}}", ".l".repeat(40));
    let input = format!(
        r##"{{ "type": "object", "properties": {{ "t": {{ "$ref": "#/definitions/tree" }}, "u": {{ "$ref": "#/definitions/loop" }},
            "w": {{ "allOf": [{}] }} }},
          "definitions": {{
            "leaf": {{ "type": "object", "properties": {{ "x": {{ "type": "integer" }}, "l": {{ "$ref": "#/definitions/tree" }} }} }},
            "tree": {{ "type": "object", "properties": {{ "l": {{ "anyOf": [{branches}] }} }} }},
            "loop": {{ "anyOf": [{{ "$ref": "#/definitions/loop" }}, {{ "$ref": "#/definitions/loop" }}] }} }} }}"##,
        [r##"{ "anyOf": [{ "type": "string" }, { "type": "integer" }] }"##; 12].join(", "),
    );
    let skill = |mode: &str, rest: &str| {
        format!(
            r#"{{ "name": "{mode}", "description": "Asks.", "category": "text", "mode": "{mode}", "input": {input}, "output": {input}{rest} }}"#
        )
    };
    let pipeline = r#", "calls": ["code"], "pipeline": [{ "step": "a", "skill": "code", "input": "#
        .to_owned()
        + r#"{ "t": { "l": { "l": "{{input.t.l.l}}" } }, "u": "{{input.u.x}}", "w": "{{input.w | size}}" } }], "outputMapping": { "t": "{{input.t}}" }"#;
    let found = found(&[
        ("llm/skill.json", &skill("llm", "")),
        ("llm/prompt.md", &deep),
        ("code/skill.json", &skill("code", "")),
        ("composite/skill.json", &skill("composite", &pipeline)),
    ]);
    let of_templates: Vec<_> = found
        .iter()
        .filter(|(code, ..)| ["template-", "step-", "output-"].iter().any(|kind| code.starts_with(kind)))
        .map(|(code, text, _)| (code.as_str(), text.as_str()))
        .collect();
    assert_eq!(of_templates, [("template-path", "z")]);
}
