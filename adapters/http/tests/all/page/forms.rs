//! Tests the forms that people fill in, and how mistakes are shown.

use serde_json::{Value, json};
use skills_http::{Api, Guard};

use super::skills::shown;
use super::{act, play};
use crate::support::runner;

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
async fn fields_without_an_input_are_edited_as_json() {
    let seen = play("json").await;
    assert_eq!(seen["stays"], "The form has no place for all of this, so it stays JSON.");
    let shown = seen["shown"].as_str().expect("a text");
    assert!(shown.starts_with(r#"{"text":"a","count":1,"unknown":[1.0]"#), "{shown}");
}

// SPEC 11.1, 11.28: a schema becomes a form, and mistakes are marked while the user types
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

// SPEC 11.2
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn refusals_are_shown() {
    let root = shown();
    let seen = act("refused", Api::new(runner(root.path())), Guard::new()).await;
    let text = seen["told"].as_str().expect("a text");
    assert!(text.contains("Running\noff") && text.contains("Chat\noff"), "{text}");
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
