//! The page in a real browser: it lists, runs and chats; pictures of it are left below `target/` (SPEC 11.1).
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use skills_http::{Api, Guard};
use skills_runtime::testing::ScriptedModel;

mod support;
use support::{node, runner, serve, skills};

/// Has the browser act a scene on a page; nothing where there is no browser.
async fn act(scene: &str, api: Api, guard: Guard) -> Option<Value> {
    let browser = browser()?;
    let serving = serve(api, guard).await;
    let url = format!("http://{}/", serving.address);
    let pictures = concat!(env!("CARGO_TARGET_TMPDIR"), "/page");
    let seen = node::run("page.mjs", &[&browser, &url, pictures, scene]).await?;
    assert_eq!(seen["problems"], json!([]), "the page breaks nothing and asks nobody else");
    Some(seen)
}

/// Finds a browser of the Chromium family, the one in `CHROME` first.
fn browser() -> Option<String> {
    let wanted = std::env::var("CHROME").ok();
    let known = ["chromium", "chromium-browser", "google-chrome"].map(str::to_owned);
    for name in wanted.into_iter().chain(known) {
        let found =
            Command::new("sh").args(["-c", "command -v \"$0\"", &name]).stderr(Stdio::null()).output();
        let path = found.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        if let Ok(path) = path.map_err(drop).and_then(|path| if path.is_empty() { Err(()) } else { Ok(path) })
        {
            return Some(path);
        }
    }
    test_bed::skip("there is no Chromium, so no browser opens the page (CHROME may name one)");
    None
}

/// The skills of all tests, one whose form has a field of every kind, and one that is hard on the layout.
fn shown() -> tempfile::TempDir {
    let root = skills();
    let long = format!("z{}-技能", "very-long-name".repeat(6));
    support::write(
        root.path(),
        &[
            ("form_of_all/SKILL.md", "---\nexec: run\n---\n# 说明\n\nSays the input again.\n"),
            ("form_of_all/run", "#!/bin/sh\ncat\n"),
            (
                "form_of_all/skill.json",
                r##"{"name": "form_of_all", "description": "A field of every kind. 每一种输入，一个字段。", "category": "测试",
            "mode": "code", "version": "1.0.0", "tags": ["form", "表单"],
            "input": {"type": "object", "required": ["text", "count"], "$defs": {"color": {"enum": ["red", "green"], "description": "one of two"}},
                "properties": {
                    "text": {"type": "string", "description": "any text; 任何文字"},
                    "count": {"type": "integer", "maximum": 10, "description": "at most ten"},
                    "color": {"$ref": "#/$defs/color"},
                    "sure": {"type": "boolean"},
                    "list": {"type": "array", "items": {"type": "integer"}, "description": "whole numbers"}}},
            "output": {"type": "object"}}"##,
            ),
            (
                &format!("{long}/SKILL.md"),
                &format!(
                    "---\nname: {long}\ndescription: {}\n---\n{}\n",
                    "Unbroken".repeat(40),
                    "x".repeat(300)
                ),
            ),
        ],
    );
    root
}

fn api(root: &Path, model: ScriptedModel) -> Api {
    Api::new(runner(root).model(model)).enable_exec()
}

// SPEC 11.1
#[tokio::test]
async fn a_person_finds_fills_and_runs_a_skill() {
    let root = shown();
    let Some(seen) = act("form", api(root.path(), ScriptedModel::default()), Guard::new()).await else {
        return;
    };
    let names = seen["names"].as_array().expect("names");
    assert!(names.contains(&json!("prose")) && names.contains(&json!("form_of_all")), "{names:?}");
    assert!(!names.contains(&json!("secret")) && !names.contains(&json!("inner")), "{names:?}");
    assert_eq!(seen["found"], json!(["form_of_all"]));
    // Each violation stands at its field.
    assert_eq!(seen["invalid"], json!(["field-text", "field-count", "field-list"]));
    let wrong: Vec<&str> = seen["wrong"]
        .as_array()
        .expect("texts")
        .iter()
        .map(|pair| pair[1].as_str().expect("a text"))
        .collect();
    assert_eq!(wrong.len(), 3, "{wrong:?}");
    assert_eq!(wrong[0], "required: there is no value");
    assert!(wrong[1].starts_with("maximum: expected"), "{wrong:?}");
    assert_eq!(wrong[2], "/1 type: expected an integer, found \"x\"", "{wrong:?}");
    let result: Value = serde_json::from_str(seen["result"].as_str().expect("a text")).expect("JSON");
    let expected =
        json!({"text": "技能，テスト，기술", "count": 3, "color": "green", "sure": true, "list": [1, 2]});
    assert_eq!(result, expected);
    assert_eq!(
        (&seen["left"], &seen["overflow"]),
        (&json!(0), &json!(0)),
        "nothing wrong is left, nothing sticks out"
    );
}

// SPEC 11.1
#[tokio::test]
async fn long_names_dark_mode_and_narrow_windows_fit() {
    let root = shown();
    let Some(seen) = act("look", api(root.path(), ScriptedModel::default()), Guard::new()).await else {
        return;
    };
    assert!(seen["long"].as_str().is_some_and(|name| name.ends_with("技能")), "{seen}");
    assert_eq!((&seen["wide"], &seen["narrow"]), (&json!(0), &json!(0)));
    assert_eq!(seen["background"], "rgb(22, 24, 28)");
    let ran: Value = serde_json::from_str(seen["ran"].as_str().expect("a text")).expect("JSON");
    assert_eq!((&ran["stdout"], &ran["exit_code"]), (&json!("said"), &json!(3)));
}

// SPEC 11.1, 11.3
#[tokio::test]
async fn a_person_chats() {
    let root = shown();
    let model = ScriptedModel::default()
        .tool_call("a", "chain", r#"{"n": 4}"#)
        .tool_call("b", "load_skill", r#"{"name": "none"}"#)
        .text("It is done. 完成。")
        .error("overloaded", false)
        .silence()
        .text("Still here.");
    let Some(seen) = act("chat", api(root.path(), model.clone()), Guard::new()).await else { return };
    let said = seen["said"].as_array().expect("texts");
    assert_eq!(said[0], "user\ndouble 4");
    let answer = said[1].as_str().expect("a text");
    for text in ["chain {\"n\":4}", "\"said\": \"twice\"", "Skill \"none\" not found", "It is done. 完成。"]
    {
        assert!(answer.contains(text), "{text}: {answer}");
    }
    assert_eq!(seen["overflow"], 0);
    // What the page says of failures is for its reader, not for the model.
    let last = format!("{:?}", model.requests().pop().expect("a request").messages);
    assert!(
        last.contains("It is done.") && !last.contains("overloaded") && !last.contains("stopped"),
        "{last}"
    );
}

// SPEC 11.2
#[tokio::test]
async fn refusals_are_told() {
    let root = shown();
    let Some(seen) = act("refused", Api::new(runner(root.path())), Guard::new()).await else { return };
    assert_eq!(seen["exec"], "skill exec via HTTP is disabled; start with --enable-exec");
    assert_eq!(seen["chat"], "⚠ No model is connected to this server.");
    let guard = Guard::new().token("s3cret").open("/");
    let Some(seen) = act("token", Api::new(runner(root.path())), guard).await else { return };
    assert_eq!(seen["without"], "This server wants a token: open this page as /#token=TOKEN.");
    assert!(seen["found"].as_u64().is_some_and(|count| count > 5), "{seen}");
    assert!(
        seen["address"].as_str().is_some_and(|address| address.ends_with('/')),
        "the token leaves the address"
    );
}
