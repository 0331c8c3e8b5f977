//! Chats with a model.

use serde_json::json;
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
