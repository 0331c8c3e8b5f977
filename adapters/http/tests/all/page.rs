//! Tests the page in a real browser: it lists, runs and chats. Screenshots are saved below `target/` (SPEC
//! 11.1).
#![cfg(unix)]
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use skills_call::testing::ScriptedModel;
use skills_http::{Api, Guard};

use crate::support::{self, node, runner, serve, skills};

/// Runs a scenario on the page in the browser.
async fn act(scene: &str, api: Api, guard: Guard) -> Value {
    let browser = browser();
    let serving = serve(api, guard).await;
    let url = format!("http://{}/", serving.address);
    let pictures = concat!(env!("CARGO_TARGET_TMPDIR"), "/page");
    let seen = node::run("page.mjs", &[&browser, &url, pictures, scene]).await;
    assert_eq!(seen["problems"], json!([]), "the page breaks nothing and asks nobody else");
    seen
}

/// Finds a browser of the Chromium family, preferably the one in `CHROME`.
///
/// # Panics
/// If there is none.
fn browser() -> String {
    let wanted = std::env::var("CHROME").ok();
    let known = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    for name in wanted.into_iter().chain(known) {
        let found =
            Command::new("sh").args(["-c", "command -v \"$0\"", &name]).stderr(Stdio::null()).output();
        let path = found.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        if let Ok(path) = path.map_err(drop).and_then(|path| if path.is_empty() { Err(()) } else { Ok(path) })
        {
            return path;
        }
    }
    panic!("this test needs Chromium (CHROME may name it)");
}

/// Returns the skills of all tests, with one whose form has a field of every kind, pipelines, and some that
/// are hard to display.
fn shown() -> tempfile::TempDir {
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
const EVIL: &str = "<img src=x onerror=\"window.pwned=1\"><script>window.pwned=2</script> [a](javascript:window.pwned=3) \
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
fn thirty(root: &Path) {
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

fn api(root: &Path, model: ScriptedModel) -> Api {
    Api::new(runner(root).model(model)).enable_exec()
}

/// Runs a scenario with all features enabled.
async fn play(scene: &str) -> Value {
    let (root, workspace) = (shown(), tempfile::tempdir().expect("a directory"));
    act(scene, api(root.path(), ScriptedModel::default()).workspace(workspace.path()), Guard::new()).await
}

fn names(value: &Value) -> Vec<&str> {
    value.as_array().expect("an array").iter().map(|name| name.as_str().expect("a text")).collect()
}

// SPEC 11.1
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn the_page_may_load_and_call_nothing_else() {
    let root = shown();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let page = support::request(serving.address, "GET", "/", "").await;
    let policy = "content-security-policy: default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                  connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n";
    assert!(page.head.contains(policy), "{}", page.head);
    assert!(page.body.len() < 100_000, "{}", page.body.len());
    for way in [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "DOMParser",
        "src=",
        "import(",
    ] {
        assert!(!page.body.contains(way), "{way}");
    }
}

// SPEC 11.1
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn a_person_sees_what_there_is_and_finds_it() {
    let seen = play("start").await;
    let all = names(&seen["names"]);
    assert!(all.contains(&"prose") && all.contains(&"form_of_all"), "{all:?}");
    assert!(!all.contains(&"secret") && !all.contains(&"inner"), "{all:?}");
    let groups = names(&seen["groups"]);
    // Skills with categories come first, then those without.
    assert_eq!(groups.last().map(|group| group.split(' ').next()), Some(Some("Programs")), "{groups:?}");
    assert!(groups.contains(&"测试 · 9") && groups.contains(&"c · 3"), "{groups:?}");
    assert_eq!(names(&seen["kinds"]), ["All 22", "Functions 9", "Pipelines 4", "Programs 4", "Prose 5"]);
    let told = seen["told"].as_str().expect("a text");
    for text in [
        "22 skills: 9 functions, 4 pipelines, 4 programs, 5 to read",
        "Running\non",
        "Chat\non",
        "curl -s http://127.0.0.1",
    ] {
        assert!(told.contains(text), "{text}: {told}");
    }
    assert_eq!(names(&seen["pipelines"]), ["chain", "breaks", "paced", "reviews"]);
    assert_eq!(seen["found"], json!(["form_of_all"]));
    assert_eq!(seen["focused"], "skill-form_of_all");
    assert!(
        seen["address"].as_str().is_some_and(|address| address.ends_with("/#/skills/form_of_all")),
        "{seen}"
    );
    assert_eq!(seen["title"], "form_of_all · Skills");
}

// SPEC 11.1
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn each_skill_has_an_address() {
    let seen = play("addresses").await;
    assert_eq!((&seen["kept"], &seen["again"]), (&json!("7"), &json!("double")));
    assert_eq!(seen["current"], json!(["skill-double"]));
    assert_eq!(seen["unknown"], "none\n\nskill not found or not available");
}

// SPEC 11.1
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn a_person_fills_in_and_runs_a_function() {
    let seen = play("form").await;
    let controls = seen["controls"].as_array().expect("controls");
    let kinds: Vec<String> = controls
        .iter()
        .map(|control| format!("{} {} {}", control[0], control[1], control[2]).replace('"', ""))
        .collect();
    let expected = [
        "field-text textarea ",
        "field-short text ",
        "field-count number ",
        "field-big number ",
        "field-color select-one ",
        "field-sure select-one 0",
        "field-quiet checkbox on",
        "field-day date ",
        "field-at datetime-local ",
        "field-since datetime-local 2026-01-02T08:34:05",
        "field-list fieldset null",
        "field-words fieldset null",
        "field-words-0 text a",
        "field-words-1 text b",
        "field-when fieldset null",
        "field-when-hour number 7.5",
        "field-inner fieldset null",
        "field-either fieldset null",
        "field-either-form select-one ",
    ];
    assert_eq!(kinds[1..], expected);
    assert_eq!(seen["needed"], json!([["field-text", "true"], ["field-count", "true"]]));
    assert_eq!(seen["said"], "how many · 1 to 10");
    assert_eq!(seen["entries"], json!([["list 1", "Remove list 1"], ["list 2", "Remove list 2"]]));
    // Each violation is shown at its field.
    assert_eq!(
        seen["invalid"],
        json!(["field-text", "field-count", "field-list-2", "field-inner-code", "field-either"])
    );
    let broken: Vec<(&str, &str)> = seen["broken"]
        .as_array()
        .expect("pairs")
        .iter()
        .map(|pair| (pair[0].as_str().expect("an id"), pair[1].as_str().expect("a text")))
        .collect();
    assert_eq!(broken[0], ("text", "required: there is no value"));
    assert!(broken[1].0 == "count" && broken[1].1.starts_with("maximum: expected"), "{broken:?}");
    assert!(broken[2].0 == "list-2" && broken[2].1.starts_with("type: expected an integer"), "{broken:?}");
    assert!(broken[3].0 == "inner-code" && broken[3].1.starts_with("pattern: expected"), "{broken:?}");
    assert!(broken[4].0 == "either" && broken[4].1.starts_with("oneOf: expected"), "{broken:?}");
    assert_eq!(
        (&seen["focused"], &seen["status"]),
        (&json!("field-text"), &json!("The input breaks rules of the schema."))
    );
    let expected = json!({
        "text": "技能，テスト，기술", "short": "one\ntwo", "count": 3, "big": 12_345_678_901_234_567_890_u64, "color": "green",
        "sure": true, "quiet": true, "day": "2026-02-03", "at": "2026-02-03T04:05:06+05:30", "since": "2026-01-02T03:04:05Z",
        "list": [1], "words": ["a", "b"], "when": {"hour": 7.5}, "inner": {"code": "ABC"}
    });
    let exact = |value: &Value| {
        let mut value = value.clone();
        // The parser of this response does not support such large numbers.
        value["big"] = json!(12_345_678_901_234_567_890_u64);
        value
    };
    assert_eq!((exact(&seen["asJson"]), exact(&seen["result"])), (expected.clone(), expected));
    for text in ["shown", "shell"] {
        assert!(
            seen[text].as_str().is_some_and(|text| text.contains("12345678901234567890,")),
            "{}",
            seen[text]
        );
    }
    assert_eq!((&seen["left"], &seen["unnamed"], &seen["overflow"]), (&json!(0), &json!([]), &json!(0)));
}

// SPEC 11.1
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn what_a_form_has_no_place_for_is_json() {
    let seen = play("json").await;
    assert_eq!(seen["stays"], "The form has no place for all of this, so it stays JSON.");
    let shown = seen["shown"].as_str().expect("a text");
    assert!(shown.starts_with(r#"{"text":"a","count":1,"unknown":[1.0]"#), "{shown}");
}

// SPEC 11.1, 4.3
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn a_person_runs_programs() {
    let seen = play("program").await;
    assert_eq!(seen["broken"][0][0], "a");
    assert!(seen["typed"][0].as_str().is_some_and(|text| text.starts_with("exit code 0, ")), "{seen}");
    assert_eq!(seen["typed"][1], json!({"a": 5}));
    assert!(seen["plain"][0].as_str().is_some_and(|text| text.starts_with("exit code 3, ")), "{seen}");
    assert_eq!((&seen["plain"][1], &seen["stopped"]), (&json!("said"), &json!("stopped")));
}

// SPEC 11.1, 11.5
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn the_steps_of_a_pipeline_are_shown_as_they_go() {
    let seen = play("pipeline").await;
    let during = json!([["first", "done"], ["rare", "skipped"], ["second", "running"], ["third", "waiting"]]);
    let after = json!([["first", "done"], ["rare", "skipped"], ["second", "done"], ["third", "done"]]);
    assert_eq!((&seen["during"], &seen["after"]), (&during, &after));
    assert_eq!(
        (&seen["markdown"], &seen["isFolded"]),
        (&json!("<h3>Done</h3><p>All <strong>well</strong>.</p>"), &json!(true))
    );
    assert_eq!(seen["failed"], json!([["good", "done"], ["bad", "failed"], ["after", "not run"]]));
    assert!(seen["told"].as_str().is_some_and(|told| told.contains("no luck")), "{seen}");
}

// SPEC 16.8
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn the_steps_of_a_pipeline_light_up_in_a_picture() {
    let root = shown();
    thirty(root.path());
    let workspace = tempfile::tempdir().expect("a directory");
    let model = ScriptedModel::default().text(r#"{"ok": true}"#).text(r#"{"ok": true}"#);
    let seen = act("graph", api(root.path(), model).workspace(workspace.path()), Guard::new()).await;
    let count = |when: &str, state: &str| {
        seen[when].as_object().expect("boxes").values().filter(|known| **known == *state).count()
    };
    assert_eq!(
        (count("before", ""), seen["before"].as_object().map(serde_json::Map::len)),
        (32, Some(32)),
        "{seen}"
    );
    assert!(count("during", "running") > 0 && count("during", "waiting") > 0, "{}", seen["during"]);
    assert_eq!((count("after", "done"), count("after", "skipped")), (29, 1), "{}", seen["after"]);
    let took = names(&seen["took"]);
    assert_eq!(
        took.iter().filter(|text| text.ends_with(" ms") || text.ends_with(" s")).count(),
        28,
        "{took:?}"
    );
    assert_eq!(took.iter().filter(|text| text.ends_with(" · 2 tokens")).count(), 1, "{took:?}");
    assert_eq!((&seen["small"], &seen["overflow"]), (&json!([]), &json!(0)));
    assert!(seen["colours"].as_u64().is_some_and(|count| count >= 3), "{seen}");
    assert!(seen["whole"].as_u64().is_some_and(|count| count > 10), "{seen}");
}

// SPEC 11.1, 6.2
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn what_cannot_run_says_what_is_missing() {
    let root = shown();
    let seen = act("missing", Api::new(runner(root.path())).enable_exec(), Guard::new()).await;
    for (name, text) in [
        ("review", "Skill \"review\" (llm) has no model. Start the server with --model."),
        ("reviews", "Skill \"review\" (llm) has no model."),
        ("unserved", "(code) has no host function and no exec."),
        ("prose", "This skill is text"),
        ("helper", "names none of them as its program"),
        ("lost", "Its program, bin/none, is not there."),
    ] {
        let told = &seen["seen"][name];
        assert_eq!(told[0], 0, "{name}");
        assert!(told[1].as_str().is_some_and(|told| told.contains(text)), "{name}: {told}");
    }
    assert_eq!(seen["seen"]["double"], json!([1, null]));
}

// SPEC 11.1, 12.4
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn hostile_texts_stay_texts() {
    let seen = play("hostile").await;
    for what in ["elements", "handlers"] {
        assert_eq!(seen[what], json!([]), "{what}");
    }
    assert_eq!(seen["pwned"], Value::Null);
    let links = names(&seen["links"]);
    let is_plain =
        |link: &&str| *link == "https://evil.example/p.png" || *link == "#/skills/hostile/files/run";
    assert!(!links.is_empty() && links.iter().all(is_plain), "{links:?}");
    let text = seen["text"].as_str().expect("a text");
    assert!(text.contains("<script>window.pwned=2</script>"), "{text}");
    assert!(
        seen["slowest"][1].as_u64().is_some_and(|milliseconds| milliseconds < 5_000),
        "{}",
        seen["slowest"]
    );
}

// SPEC 11.1
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn markdown_is_shown_as_such() {
    let seen = play("markdown").await;
    assert_eq!(seen["wrong"], json!([]), "{:#}", seen["wrong"]);
}

// SPEC 11.1
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn long_names_dark_mode_and_narrow_windows_fit() {
    let seen = play("look").await;
    assert!(seen["long"].as_str().is_some_and(|name| name.ends_with("技能")), "{seen}");
    assert_eq!(seen["wide"], 0);
    // On a narrow screen, the list is hidden while a skill is shown.
    assert_eq!(seen["narrow"], json!([0, false, 0, 0, true]));
    assert_eq!(seen["background"], "rgb(22, 24, 28)");
}

// SPEC 11.1, 11.3
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn a_person_chats() {
    let root = shown();
    let model = ScriptedModel::default()
        .tool_call("a", "chain", r#"{"n": 4}"#)
        .tool_call("b", "load_skill", r#"{"name": "none"}"#)
        .text("It is done. **完成**。<img src=x>")
        .error("overloaded", false)
        .silence()
        .text("Still here.");
    let seen = act("chat", api(root.path(), model.clone()), Guard::new()).await;
    assert_eq!(seen["folded"][0], "you\ndouble 4");
    let folded = seen["folded"][1].as_str().expect("a text");
    assert!(folded.contains("chain done") && folded.contains("load_skill failed"), "{folded}");
    assert!(!folded.contains("twice"), "{folded}");
    let tools = names(&seen["tools"]);
    assert!(tools[0].contains("\"n\": 4") && tools[0].contains("\"said\": \"twice\""), "{tools:?}");
    assert!(tools[1].contains("Skill \"none\" not found"), "{tools:?}");
    assert_eq!(seen["shown"], "<p>It is done. <strong>完成</strong>。&lt;img src=x&gt;</p>");
    assert_eq!(seen["isAtEnd"], true, "the last answer is in view");
    assert_eq!((&seen["kept"], &seen["open"], &seen["cleared"]), (&json!(8), &json!(2), &json!(0)));
    assert_eq!((&seen["unnamed"], &seen["overflow"]), (&json!([]), &json!(0)));
    // Error texts of the page are for its user, not for the model.
    let last = format!("{:?}", model.requests().pop().expect("a request").messages);
    assert!(
        last.contains("It is done.") && !last.contains("the model failed") && !last.contains("stopped"),
        "{last}"
    );
}

// SPEC 11.2
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn refusals_are_told() {
    let root = shown();
    let seen = act("refused", Api::new(runner(root.path())), Guard::new()).await;
    let told = seen["told"].as_str().expect("a text");
    assert!(told.contains("Running\noff") && told.contains("Chat\noff"), "{told}");
    assert_eq!(seen["exec"], "Running is off: the server runs skills when it is started with --enable-exec.");
    assert_eq!(
        (&seen["forms"], &seen["chat"]),
        (&json!(0), &json!("No model is connected to this server. Start it with --model."))
    );
    let guard = Guard::new().token("s3cret").open("/");
    let seen = act("token", Api::new(runner(root.path())), guard).await;
    assert_eq!(seen["without"], "This server wants a token: open this page as /#token=TOKEN.");
    assert!(seen["found"].as_u64().is_some_and(|count| count > 5), "{seen}");
    assert!(
        seen["address"].as_str().is_some_and(|address| address.ends_with('/')),
        "the token leaves the address"
    );
    let shell = seen["shell"].as_str().expect("a text");
    assert!(shell.contains("$TOKEN") && !shell.contains("s3cret"), "{shell}");
}

// SPEC 11.1, 11.28: what a schema says is a form, and mistakes are marked as one types
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn a_person_fills_in_forms_of_several_kinds() {
    let seen = play("shapes").await;
    assert_eq!(seen["live"].as_array().map(Vec::len), Some(1), "{seen}");
    assert_eq!(seen["live"][0][0], "mail");
    assert_eq!(seen["inner"].as_array().map(Vec::len), Some(1), "only fields that were changed: {seen}");
    assert_eq!(seen["inner"][0][0], "shape-of-side");
    assert!(seen["hint"].as_str().is_some_and(|hint| hint.contains("<strong>write</strong>")), "{seen}");
    assert!(seen["labels"].to_string().contains("Mail address"), "{seen}");
    let kinds = &seen["kinds"];
    let kinds = [&kinds["field-mail"], &kinds["field-secret"], &kinds["field-page"]];
    assert_eq!(kinds, [&json!("email"), &json!("password"), &json!("url")]);
    let value = json!({
        "mail": "a@b.example", "secret": "hush", "page": "https://x.example/", "shape": {"kind": "square", "side": 3},
        "prices": {"apple": 1.5}, "people": [{"name": "Ann"}, {"name": "Bob"}]
    });
    assert_eq!((&seen["value"], &seen["chosen"]), (&value, &json!("square")));
    assert_eq!((&seen["unnamed"], &seen["overflow"]), (&json!([]), &json!(0)));
}

// SPEC 11.1, 11.28, 11.2
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn files_open_in_the_page() {
    let seen = play("files").await;
    assert_eq!(seen["source"], "from acme/<b>skills (abc)", "SPEC 21.12");
    assert_eq!(seen["inView"], true, "the list scrolls to the chosen skill");
    assert!(seen["notes"].as_str().is_some_and(|text| text.starts_with("Notes")), "{seen}");
    assert_eq!(seen["address"], "#/skills/zz_paged/files/docs/notes.md");
    assert_eq!(
        (&seen["data"], &seen["bytes"], &seen["name"]),
        (&json!("{\n  \"a\": 1\n}"), &json!(7), &json!("my data.json"))
    );
    assert_eq!(seen["files"], json!(["docs/my data.json", "docs/notes.md", "raw.bin"]));
    assert_eq!(seen["dead"], json!(["docs/none.md"]), "a link to no file is none");
    assert_eq!(seen["missing"], "the skill has no such file");
}

// SPEC 16.8
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn a_picture_is_zoomed_and_moved() {
    let root = shown();
    thirty(root.path());
    let seen = act("zoom", api(root.path(), ScriptedModel::default()), Guard::new()).await;
    let number = |key: &str| seen[key].as_f64().unwrap_or_default();
    assert!((number("wider") / number("start") - 1.5625).abs() < 0.02, "{seen}");
    assert_eq!((&seen["original"], &seen["moved"]), (&seen["start"], &json!([60, 50])));
    assert_eq!((&seen["inside"], &seen["overflow"]), (&json!(true), &json!(0)));
    assert!(number("fit") < 390.0, "{seen}");
}

// SPEC 11.3
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn a_chat_survives_a_reload() {
    let root = shown();
    let long: String = (0..100).map(|line| format!("line {line}\n\n")).collect();
    let model = ScriptedModel::default().text(long).error("overloaded", false);
    let seen = act("reload", api(root.path(), model), Guard::new()).await;
    let name = &seen["model"][1];
    assert_eq!(seen["model"][0], format!("Model: {}", name.as_str().unwrap_or_default()));
    assert!(name.as_str().is_some_and(|name| !name.is_empty()) && seen["name"] == *name, "{seen}");
    assert_eq!((&seen["inView"], &seen["kept"], &seen["cleared"]), (&json!(true), &json!(2), &json!(0)));
    assert!(seen["copied"].as_str().is_some_and(|text| text.contains("the model failed")), "{seen}");
    assert!(
        seen["told"].as_str().is_some_and(|text| !text.is_empty()) && seen["output"] == seen["told"],
        "{seen}"
    );
    assert!(seen["advice"].as_str().is_some_and(|text| text.contains("run it again")), "{seen}");
}

// SPEC 11.1, 11.28
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn every_state_is_accessible_and_silent() {
    let seen = play("axe").await;
    assert_eq!((&seen["violations"], &seen["said"]), (&json!([]), &json!([])));
    assert_eq!(seen["states"], 28);
}
