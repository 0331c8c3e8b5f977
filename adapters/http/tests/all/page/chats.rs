//! Chats with a model.

use serde_json::json;
use skills_call::model::{ModelError, ModelErrorKind};
use skills_call::testing::ScriptedModel;
use skills_http::Guard;

use super::skills::shown;
use super::{act, api, names};

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

// SPEC 11.3, 11.28
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn a_person_allows_or_refuses_a_tool_call() {
    let root = shown();
    let call = |model: ScriptedModel, id: &str| model.tool_call(id, "double", r#"{"n": 4}"#);
    let model = call(call(call(ScriptedModel::default(), "a").text("Twice."), "b").text("As you like."), "c")
        .text("Fine.");
    let seen = act("approve", api(root.path(), model.clone()), Guard::new()).await;
    let asked = seen["asked"].as_str().expect("a text");
    for text in ["double wants to run", "\"n\": 4", "Run it", "Do not run it"] {
        assert!(asked.contains(text), "{text}: {asked}");
    }
    assert_eq!((&seen["axe"], &seen["kept"]), (&json!([]), &json!(true)));
    assert_eq!(seen["allowed"], "✓ double done");
    for key in ["refused", "passed"] {
        assert!(seen[key].as_str().is_some_and(|text| text.ends_with("double not allowed")), "{seen}");
    }
    assert_eq!((&seen["said"], &seen["buttons"]), (&json!(8), &json!(0)), "an answer continues its message");
    let requests = model.requests();
    let results = |at: usize| -> Vec<(String, bool)> {
        let messages = requests[at].messages.iter();
        messages
            .flat_map(|message| message.tool_results())
            .map(|result| (result.content.clone(), result.is_error))
            .collect()
    };
    assert_eq!(results(1), [(r#"{"said": "twice"}"#.to_owned(), false)]);
    assert_eq!(results(3).last(), Some(&("the user did not allow this call".to_owned(), true)));
    assert_eq!(requests.len(), 6);
}

// SPEC 6.8
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn advice_fits_the_failure_of_the_model() {
    let root = shown();
    let fail = |kind| ModelError::new("for s3cret").with_kind(kind);
    let model =
        ScriptedModel::default().fail(fail(ModelErrorKind::KeyRefused)).fail(fail(ModelErrorKind::TooLong));
    let seen = act("advice", api(root.path(), model), Guard::new()).await;
    assert!(seen["call"].as_str().is_some_and(|text| text.contains("refused the API key")), "{seen}");
    assert!(seen["chat"].as_str().is_some_and(|text| text.contains("too long for the model")), "{seen}");
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
