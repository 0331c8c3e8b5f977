//! Pipelines, prompts and the templates in them.

use super::{Files, Input, TYPED, file, fill, input, json, list, list_by, nested, numbered, replaced};

/// The kinds.
pub(super) const KINDS: &[Input] = &[
    input("a chain of steps", |size| steps(size, r#""input": {"a": "{{steps.s{before}.x}}"}"#)),
    input("steps that wait for the one before", |size| {
        steps(size, r#""input": {}, "depends": ["s{before}"]"#)
    }),
    input("steps that wait for the first", |size| steps(size, r#""input": {}, "depends": ["s0"]"#)),
    input("steps that wait for the next", |size| steps(size, r#""input": {}, "depends": ["s{next}"]"#)),
    input("steps that read all steps", |size| steps(size, r#""input": {"a": "{{steps}}"}"#)),
    input("a step that waits for all", |size| {
        pipeline(format!(
            r#"{}, {{"step": "all", "skill": "p", "input": {{}}, "depends": [{}]}}"#,
            list(size / 2, STEP),
            list(size / 2, r#""s{at}""#)
        ))
    }),
    input("a step that waits for one often", |size| {
        pipeline(format!(
            r#"{}, {{"step": "all", "skill": "p", "input": {{}}, "depends": [{}]}}"#,
            numbered(STEP, 0),
            list(size, r#""s0""#)
        ))
    }),
    input("steps of one name", |size| pipeline(list(size, &numbered(STEP, 0)))),
    input("steps of unknown names", |size| steps(size, r#""input": {"a": "{{steps.x{at}.y}}"}"#)),
    input("steps with conditions", |size| {
        steps(size, r#""input": {}, "condition": "steps.s{before}.x == 1""#)
    }),
    input("steps over lists", |size| {
        steps(size, r#""input": {"a": "{{item}}"}, "foreach": "{{steps.s{before}.x}}""#)
    }),
    input("arguments that are refused", refused),
    input("a long condition", |size| {
        pipeline(format!(
            r#"{{"step": "s0", "skill": "p", "input": {{}}, "condition": "{}"}}"#,
            list(size, "input.a{at} == 1").replace(',', " && ")
        ))
    }),
    input("a template of many expressions", |size| written(fill(size, "{{input.a}}"))),
    input("a template of escapes and expressions", |size| written(fill(size, "\\n\\u00e9{{input.a}}"))),
    input("a template of expressions that are refused", |size| written(fill(size, "{{inputs.a{at}}} "))),
    input("a chain of fallbacks", |size| {
        written(format!("{{{{input.a{}}}}}", " || input.a".repeat(size / 11)))
    }),
    input("a chain of fallbacks that differ", |size| {
        let files = written(format!("{{{{input.a{}}}}}", fill(size / 2, " || input.a{at}")));
        let properties = list(size / 2, r#""a{at}": {"type": "object"}"#);
        let input = format!(r#""input": {{"type": "object", "properties": {{{properties}}}}}"#);
        replaced(files, "it/skill.json", ANY, &input)
    }),
    input("a chain of texts", |size| written(format!("{{{{input.a{}}}}}", fill(size, " || 'a{at}'")))),
    input("a long path", |size| written(format!("{{{{input{}}}}}", ".a".repeat(size / 2)))),
    input("a long path of a prompt", |size| prompt(format!("{{{{input{}}}}}", ".a".repeat(size / 2)))),
    input("a path of brackets", |size| written(format!("{{{{input{}}}}}", "['a']".repeat(size / 5)))),
    input("expressions that read a long enumeration", |size| {
        enumerated(size, "{{input.a}}", r#""type": "string""#)
    }),
    input("expressions that read a value of many kinds", |size| {
        enumerated(size, "{{input.a | upcase}}", r#""title": "a""#)
    }),
    input("fields of an input", |size| {
        pipeline(format!(
            r#"{{"step": "s0", "skill": "p", "input": {{{}}}}}"#,
            list(size, r#""a{at}": "{{input.a{at}}}""#)
        ))
    }),
    input("expressions", |size| prompt(fill(size, "{{input.a{at}}} "))),
    input("expressions of one field", |size| prompt(fill(size, "{{input.a}} "))),
    input("expressions that are declared", declared),
    input("expressions that are near", |size| prompt(fill(size, "{{input.aa{at}}} "))),
    input("filters", |size| prompt(format!("{{{{input.a{}}}}}", " | upcase".repeat(size / 9)))),
    input("unknown filters", |size| prompt(fill(size, "{{input.a | uper{at}}} "))),
    input("nested templates", |size| prompt(nested(size.min(2000), "{% if input.a %}", "{% endif %}"))),
    input("templates beside each other", |size| prompt(fill(size, "{% if input.a %}b{% endif %}"))),
    input("open templates", |size| prompt("{{".repeat(size / 2))),
    input("open blocks", |size| prompt("{% if a %}".repeat(size / 10))),
    input("long paths", |size| prompt(format!("{{{{input{}}}}}", ".a".repeat(size / 2)))),
];

const STEP: &str = r#"{"step": "s{at}", "skill": "p", "input": {}}"#;

/// A step, and steps with other members behind it.
fn steps(size: usize, members: &str) -> Files {
    let step = format!(r#"{{"step": "s{{at}}", "skill": "p", {members}}}"#);
    let steps = list_by(size, |at| numbered(&step, at + 1));
    pipeline(format!("{}, {steps}", numbered(STEP, 0)))
}

/// The input that accepts any object.
pub(super) const ANY: &str = r#""input": {"type": "object"}"#;

pub(super) fn pipeline(steps: String) -> Files {
    let text = format!(
        r#"{{{TYPED}, "mode": "composite", "calls": ["p"], "input": {{"type": "object"}}, "pipeline": [{steps}]}}"#
    );
    let called = TYPED.replace(r#""it""#, r#""p""#);
    let called = format!(r#"{{{called}, "mode": "code", "input": {{"type": "object"}}}}"#);
    let mut files = json(text);
    files.push(("p/skill.json".to_owned(), called));
    files
}

fn prompt(text: String) -> Files {
    let mut files = json(format!(
        r#"{{{TYPED}, "mode": "llm", "input": {{"type": "object", "properties": {{"a": {{"type": "string"}}}}}}}}"#
    ));
    files.push(file("prompt.md", text));
    files
}

/// A step whose input has one template.
fn written(template: String) -> Files {
    pipeline(format!(r#"{{"step": "s0", "skill": "p", "input": {{"a": "{template}"}}}}"#))
}

/// A step whose input reads a property with a long `enum` many times.
fn enumerated(size: usize, read: &str, rule: &str) -> Files {
    let files = written(fill(size / 2, read));
    let values = list(size / 2, r#""v{at}""#);
    let input =
        format!(r#""input": {{"type": "object", "properties": {{"a": {{{rule}, "enum": [{values}]}}}}}}"#);
    replaced(files, "it/skill.json", ANY, &input)
}

fn refused(size: usize) -> Files {
    let files = pipeline(format!(
        r#"{{"step": "s0", "skill": "p", "input": {{{}}}}}"#,
        list(size / 2, r#""b{at}": 1"#)
    ));
    let input = format!(
        r#""input": {{"type": "object", "additionalProperties": false, "properties": {{{}}}}}"#,
        list(size / 2, r#""a{at}": {}"#)
    );
    replaced(files, "p/skill.json", ANY, &input)
}

fn declared(size: usize) -> Files {
    let files = prompt(fill(size / 2, "{{input.a{at}}} "));
    let input = format!(
        r#""properties": {{{}}}, "required": [{}]"#,
        list(size / 2, r#""a{at}": {}"#),
        list(size / 2, r#""a{at}""#)
    );
    replaced(files, "it/skill.json", r#""properties": {"a": {"type": "string"}}"#, &input)
}
