//! The skills that the page shows in the tests.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{self, skills};

/// Returns the skills of all tests, with one whose form has a field of every kind, pipelines, and some that
/// are hard to display.
pub(super) fn shown() -> tempfile::TempDir {
    let root = skills();
    let long = format!("z{}-技能", "very-long-name".repeat(6));
    let function = |name: &str, mode: &str, input: Value, more: Value| {
        let mut skill = json!({
            "name": name, "description": format!("The skill {name}."), "category": "测试", "mode": mode, "input": input,
            "output": {"type": "object"}
        });
        let members = skill.as_object_mut().expect("an object");
        members.extend(more.as_object().expect("an object").clone());
        (format!("{name}/skill.json"), skill.to_string())
    };
    let program = |name: &str, body: &str, script: &str| {
        [
            (format!("{name}/SKILL.md"), format!("---\nexec: run\n---\n{body}\n")),
            (format!("{name}/run"), format!("#!/bin/sh\n{script}\n")),
        ]
    };
    let any = json!({"type": "object"});
    let step = |name: &str, skill: &str, more: Value| {
        let mut step = json!({"step": name, "skill": skill, "input": {}});
        step.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        step
    };
    let pipeline = |name: &str, steps: Value| {
        let calls = json!(["quick", "paces", "fails", "review", "served"]);
        function(name, "composite", any.clone(), json!({"calls": calls, "pipeline": steps}))
    };
    let mut files = vec![
        function(
            "form_of_all",
            "code",
            json!("the form"),
            json!({"description": "A field of every kind. 每一种输入，一个字段。", "tags": ["form", "表单"]}),
        ),
        function("shapes", "code", json!("the shapes"), json!({"description": "Forms of several kinds."})),
        function("quick", "code", any.clone(), json!({})),
        function("paces", "code", any.clone(), json!({})),
        function("fails", "code", any.clone(), json!({})),
        function("unserved", "code", any.clone(), json!({})),
        function(
            "hostile",
            "code",
            json!({"type": "object", "title": EVIL, "description": EVIL, "properties": {"<b>": {"type": "string", "title": EVIL, "description": EVIL, "examples": [EVIL], "default": EVIL}, "e": {"enum": [EVIL]}}}),
            json!({"description": EVIL, "category": EVIL, "tags": [EVIL], "version": EVIL}),
        ),
        pipeline(
            "paced",
            json!([
                step("first", "quick", json!({})),
                step("rare", "quick", json!({"condition": "false"})),
                step("second", "paces", json!({"depends": ["first"]})),
                step("third", "quick", json!({"depends": ["second"]}))
            ]),
        ),
        pipeline(
            "breaks",
            json!([
                step("good", "quick", json!({})),
                step("bad", "fails", json!({"depends": ["good"]})),
                step("after", "quick", json!({"depends": ["bad"]}))
            ]),
        ),
        pipeline("reviews", json!([step("asks", "review", json!({"input": {"code": "x"}}))])),
        (
            format!("{long}/SKILL.md"),
            format!("---\nname: {long}\ndescription: {}\n---\n{}\n", "Unbroken".repeat(40), "x".repeat(300)),
        ),
    ];
    files.extend(program("form_of_all", "# 说明\n\nSays the input again.", "cat"));
    files.extend(program("shapes", "Says the input again.", "cat"));
    files.extend(program(
        "quick",
        "Is quick.",
        r##"cat <<'E'
{"text": "# Done\n\nAll **well**.", "count": 1}
E"##,
    ));
    // It continues once the page runs the other one.
    files.extend(program(
        "paces",
        "Waits.",
        "until [ -e \"$SKILL_WORKSPACE/go\" ]; do sleep 0.05; done\necho '{}'",
    ));
    files.extend(program("fails", "Fails.", "echo no luck >&2\nexit 4"));
    files.extend(program("hostile", EVIL, &format!("cat <<'E'\n{}\nE", json!({"text": EVIL, "<i>": EVIL}))));
    files.push((
        "release/SKILL.md".to_owned(),
        "---\nname: release\ndescription: Releases.\nexec: run\n---\nLets go.\n".to_owned(),
    ));
    files.push(("release/run".to_owned(), "#!/bin/sh\ntouch \"$SKILL_WORKSPACE/go\"\n".to_owned()));
    files[0].1 = files[0].1.replacen("\"the form\"", FORM, 1);
    files[1].1 = files[1].1.replacen("\"the shapes\"", SHAPES, 1);
    let paged = "---\nname: zz_paged\ndescription: Has files.\ncategory: zz\n---\nSee [the notes](docs/notes.md#top), [x](docs/none.md).\n";
    files.push(("zz_paged/SKILL.md".to_owned(), paged.to_owned()));
    let lock = "version = 1\n[[skill]]\nname = \"zz_paged\"\ndirectory = \"zz_paged\"\nsource = \"acme/<b>skills\"\n\
                revision = \"abc\"\nfiles = {}\n";
    files.push(("skills.lock".to_owned(), lock.to_owned()));
    let notes = "# Notes\n\nThe [data](my%20data.json), and [back](../SKILL.md).\n";
    files.push(("zz_paged/docs/notes.md".to_owned(), notes.to_owned()));
    files.push(("zz_paged/docs/my data.json".to_owned(), "{\"a\":1}".to_owned()));
    let raw = root.path().join("zz_paged/raw.bin");
    std::fs::create_dir_all(root.path().join("zz_paged")).expect("a directory");
    std::fs::write(raw, [0xff, 0xfe, 0x00]).expect("written");
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    support::write(root.path(), &files);
    root
}

/// A text that tries several kinds of injection. It is longer than 80 characters, so that it is shown as
/// Markdown.
pub(super) const EVIL: &str = "<img src=x onerror=\"window.pwned=1\"><script>window.pwned=2</script> [a](javascript:window.pwned=3) \
                    [b](JaVaScRiPt:window.pwned=4) ![c](https://evil.example/p.png) <javascript:window.pwned=5> \
                    [d](data:text/html,<script>window.pwned=6</script>) '\"><svg onload=window.pwned=7>";

/// A schema as its author wrote it: the form must keep its order.
const FORM: &str = r##"{"type": "object", "required": ["text", "count", "when"],
    "$defs": {"color": {"enum": ["red", "green"], "description": "one of two"},
        "place": {"type": "object", "description": "Something inside", "required": ["code"], "properties": {
            "code": {"type": "string", "pattern": "^[A-Z]{3}$"}, "again": {"$ref": "#/$defs/place"}}}},
    "properties": {
        "text": {"type": "string", "description": "any text; 任何文字"},
        "short": {"type": "string", "pattern": "."},
        "count": {"type": "integer", "minimum": 1, "maximum": 10, "description": "how many"},
        "big": {"type": ["integer", "null"]},
        "color": {"$ref": "#/$defs/color"},
        "sure": {"type": "boolean"},
        "quiet": {"type": "boolean", "default": true},
        "day": {"type": "string", "format": "date"},
        "at": {"type": "string", "format": "date-time"},
        "since": {"type": "string", "format": "date-time", "default": "2026-01-02T03:04:05Z"},
        "list": {"type": "array", "items": {"type": "integer"}, "description": "whole numbers"},
        "words": {"type": "array", "maxItems": 2, "items": {"type": "string"}, "default": ["a", "b"]},
        "when": {"type": "object", "properties": {"hour": {"type": "number", "default": 7.5}}},
        "inner": {"anyOf": [{"$ref": "#/$defs/place"}, {"type": "null"}]},
        "either": {"oneOf": [{"type": "string"}, {"type": "array"}]}}}"##;

/// Forms of several kinds, a map, a list of objects, titles and formats.
const SHAPES: &str = r##"{"type": "object", "required": ["mail"], "properties": {
    "mail": {"type": "string", "format": "email", "pattern": "@", "title": "Mail address", "description": "Where to **write**, see <https://x.example/>."},
    "secret": {"type": "string", "format": "password"},
    "page": {"type": "string", "format": "uri"},
    "shape": {"title": "The shape", "oneOf": [
        {"title": "Circle", "type": "object", "required": ["kind", "radius"], "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}},
        {"type": "object", "required": ["kind", "side"], "properties": {"kind": {"const": "square"}, "side": {"type": "number", "minimum": 0}}}]},
    "prices": {"type": "object", "additionalProperties": {"type": "number"}},
    "people": {"type": "array", "items": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}}}"##;

/// Writes a pipeline of thirty steps.
pub(super) fn thirty(root: &Path) {
    let text = |at: usize| format!("step_{at:02}");
    let steps: Vec<Value> = (0..30)
        .map(|at| {
            let skill = if at == 20 {
                "review"
            } else if at == 12 {
                "paces"
            } else {
                "quick"
            };
            let input = if at == 20 { json!({"code": "x"}) } else { json!({}) };
            let mut step = json!({"step": text(at), "skill": skill, "input": input});
            if at > 0 {
                // Three parallel paths that split, join and split again.
                let before = if at % 10 == 0 {
                    (at - 3..at).map(text).collect()
                } else {
                    vec![text((at - 1) / 3 * 3)]
                };
                step["depends"] = json!(before);
            }
            match at {
                5 => step["condition"] = json!("input.urgent && input.count > 3"),
                8 => step["foreach"] = json!("{{input.list}}"),
                17 => step["retry"] = json!(2),
                _ => {}
            }
            step
        })
        .collect();
    let input = json!({"type": "object", "properties": {
        "urgent": {"type": "boolean", "default": false}, "count": {"type": "integer", "default": 1},
        "list": {"type": "array", "items": {"type": "integer"}, "default": [1, 2]}}});
    let thirty = json!({"name": "thirty", "description": "Thirty steps.", "category": "测试", "mode": "composite",
        "input": input, "output": {"type": "object"}, "calls": ["quick", "paces", "review"], "pipeline": steps});
    support::write(root, &[("thirty/skill.json", &thirty.to_string())]);
}
