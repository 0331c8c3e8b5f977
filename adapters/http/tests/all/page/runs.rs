//! Runs of programs and pipelines, and their pictures.

use serde_json::json;
use skills_call::testing::ScriptedModel;
use skills_http::{Api, Guard};

use super::skills::{shown, thirty};
use super::{act, api, names, play};
use crate::support::runner;

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
async fn the_steps_of_a_pipeline_are_shown_live() {
    let seen = play("pipeline").await;
    let during = json!([["first", "done"], ["rare", "skipped"], ["second", "running"], ["third", "waiting"]]);
    let after = json!([["first", "done"], ["rare", "skipped"], ["second", "done"], ["third", "done"]]);
    assert_eq!((&seen["during"], &seen["after"]), (&during, &after));
    assert_eq!(
        (&seen["markdown"], &seen["isFolded"]),
        (&json!("<h3>Done</h3><p>All <strong>well</strong>.</p>"), &json!(true))
    );
    assert_eq!(seen["failed"], json!([["good", "done"], ["bad", "failed"], ["after", "not run"]]));
    assert!(seen["told"].as_str().is_some_and(|text| text.contains("no luck")), "{seen}");
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

// SPEC 16.8
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn boxes_of_a_picture_are_links() {
    let seen = play("links").await;
    let links = [["first", "quick"], ["rare", "quick"], ["second", "paces"], ["third", "quick"]];
    let links = links.map(|[step, skill]| json!([step, format!("#/skills/{skill}")]));
    assert_eq!(seen["links"], json!(links));
    assert_eq!((&seen["dragged"], &seen["clicked"]), (&json!("#/skills/paced"), &json!("#/skills/paces")));
    assert_eq!(seen["pressed"], "#/skills/double");
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

// SPEC 11.1, 6.2
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn skills_that_cannot_run_show_the_reason() {
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
        let shown = &seen["seen"][name];
        assert_eq!(shown[0], 0, "{name}");
        assert!(shown[1].as_str().is_some_and(|shown| shown.contains(text)), "{name}: {shown}");
    }
    assert_eq!(seen["seen"]["double"], json!([1, null]));
}
