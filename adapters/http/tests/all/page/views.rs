//! Lists, files, texts and layouts.

use serde_json::{Value, json};
use skills_call::testing::ScriptedModel;
use skills_eval::{Suite, Trial};
use skills_http::{Api, Guard};

use super::skills::shown;
use super::{browser, names, play};
use crate::support::{self, runner, serve};

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
async fn a_person_sees_and_finds_skills() {
    let seen = play("start").await;
    let all = names(&seen["names"]);
    assert!(all.contains(&"prose") && all.contains(&"form_of_all"), "{all:?}");
    assert!(!all.contains(&"secret") && !all.contains(&"inner"), "{all:?}");
    let groups = names(&seen["groups"]);
    // Skills with categories come first, then those without.
    assert_eq!(groups.last().map(|group| group.split(' ').next()), Some(Some("Scripts")), "{groups:?}");
    assert!(groups.contains(&"测试 · 9") && groups.contains(&"c · 3"), "{groups:?}");
    assert_eq!(names(&seen["kinds"]), ["All 22", "Functions 9", "Pipelines 4", "Scripts 4", "Texts 5"]);
    let page = seen["told"].as_str().expect("a text");
    for text in [
        "22 skills: 9 functions, 4 pipelines, 4 scripts, 5 texts",
        "Running\non",
        "Chat\non",
        "curl -s http://127.0.0.1",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    // SPEC 11.28: the example has an input that the function accepts.
    assert_eq!((&seen["typed"][0], &seen["typed"][2]), (&json!("list"), &json!(["output"])), "{page}");
    assert_eq!(names(&seen["pipelines"]), ["chain", "breaks", "paced", "reviews"]);
    assert_eq!(seen["found"], json!(["form_of_all"]));
    assert_eq!(seen["focused"], "skill-form_of_all");
    assert!(
        seen["address"].as_str().is_some_and(|address| address.ends_with("/#/skills/form_of_all")),
        "{seen}"
    );
    assert_eq!(seen["title"], "form_of_all · Skills");
}

// SPEC 11.28
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn a_lost_server_is_said_and_comes_back() {
    let seen = play("lost").await;
    let told = names(&seen["told"]);
    assert!(told[0].contains("does not answer") && told[0].contains("continues by itself"), "{told:?}");
    assert!(told[1].contains("The server does not answer."), "{told:?}");
    assert_eq!((&seen["back"], &seen["axe"]), (&json!("The server answers again."), &json!([])));
    let run = seen["run"].as_str().expect("a text");
    assert!(run.contains("The server does not answer.") && run.contains("Start the server"), "{run}");
    assert_eq!(seen["stays"], true);
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

// SPEC 11.1, 11.28
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn every_state_is_accessible_and_silent() {
    let seen = play("axe").await;
    assert_eq!((&seen["violations"], &seen["said"]), (&json!([]), &json!([])));
    assert_eq!(seen["states"], 32);
}

// SPEC 16.16: the page of an evaluation with passed, failed and ungraded cases, and with trigger queries
#[tokio::test]
#[ignore = "needs Chromium and node"]
async fn the_page_of_an_evaluation_is_accessible() {
    let root = tempfile::tempdir().expect("a directory");
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().expect("inside")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    };
    write(
        "csv/SKILL.md",
        "---\nname: csv\ndescription: Analyzes CSV files. Use for tables.\n---\nSay csv.\n",
    );
    let cases = json!({"skill_name": "csv", "evals": [
        {"id": "good", "prompt": "Say csv", "condition": "output == 'csv'"},
        {"id": "bad", "prompt": "Say pdf", "condition": "output == 'pdf'"},
        {"id": "open", "prompt": "Say why", "assertions": ["It says why"]},
    ]});
    write("csv/evals/cases.json", &cases.to_string());
    let queries = json!([{"query": "average of column C", "should_trigger": true}]);
    write("csv/evals/eval_queries.json", &queries.to_string());
    let model = (0..40).fold(ScriptedModel::default(), |model, _| model.text("csv"));
    let suite = Suite::read(root.path()).expect("cases");
    let report = Trial::new(runner(root.path()).model(model)).runs(1).run(&suite).await.expect("a report");
    write("report.html", &report.page());
    let url = format!("file://{}", root.path().join("report.html").display());
    let pictures = concat!(env!("CARGO_TARGET_TMPDIR"), "/page");
    let seen = support::node::run("page.mjs", &[&browser(), &url, pictures, "report"]).await;
    assert_eq!(seen, json!({"states": 4, "violations": [], "wide": [0, 0, 0, 0], "problems": []}));
}
