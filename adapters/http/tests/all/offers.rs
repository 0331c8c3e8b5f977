//! Tests the other routes of the page: the features of the server, the check of an input, and files.

use serde_json::json;
use skills_call::model::LanguageModel;
use skills_call::testing::ScriptedModel;
use skills_http::{Api, Guard};

use crate::support::{self, request, runner, serve, skills};

// SPEC 11.2
#[tokio::test]
async fn a_server_says_what_it_offers() {
    let root = skills();
    let plain = serve(Api::new(runner(root.path())), Guard::new()).await;
    let about = request(plain.address, "GET", "/v1/about", "").await;
    assert_eq!((about.status, about.json()), (200, json!({"exec": false, "model": null})));
    let model = ScriptedModel::default();
    let name = model.name().to_owned();
    let full = serve(Api::new(runner(root.path()).model(model)).enable_exec(), Guard::new()).await;
    let about = request(full.address, "GET", "/v1/about", "").await.json();
    assert_eq!(about, json!({"exec": true, "model": name}));
}

// SPEC 11.2: an input is checked without running the skill, even if running is disabled
#[tokio::test]
async fn an_input_is_checked_without_a_run() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let check = async |name: &str, body: &str| {
        let answer = request(serving.address, "POST", &format!("/v1/skills/{name}/check"), body).await;
        (answer.status, answer.json())
    };
    assert_eq!(check("double", r#"{"input": {"n": 2}}"#).await, (200, json!({"violations": []})));
    let (status, answer) = check("double", r#"{"input": {"n": "2"}}"#).await;
    assert_eq!((status, &answer["violations"][0]["pointer"]), (200, &json!("/n")), "{answer}");
    assert_eq!(check("nothing", "{}").await.0, 404);
    assert_eq!(check("double", r#"{"inputs": {}}"#).await.1["error"], "unknown_member");
}

// SPEC 11.2: only the bytes of a file are sent, in a form that no browser renders
#[tokio::test]
async fn files_of_a_skill_are_served() {
    let root = skills();
    let text = "---\nname: pages\ndescription: Has files.\n---\n[a](docs/a b.md)\n";
    support::write(
        root.path(),
        &[("pages/SKILL.md", text), ("pages/docs/a b.md", "# Ä\n"), ("pages/x.html", "<script>1</script>")],
    );
    std::fs::write(root.path().join("pages/raw.bin"), [0xff, 0x00]).expect("written");
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let get = async |path: &str| request(serving.address, "GET", &format!("/v1/skills/{path}"), "").await;
    let file = get("pages/files/docs/a%20b.md").await;
    assert_eq!((file.status, file.body.as_str()), (200, "# Ä\n"));
    let html = get("pages/files/x.html").await;
    for header in ["content-type: text/plain; charset=utf-8", "content-security-policy: sandbox", "nosniff"] {
        assert!(html.head.contains(header), "{header}: {}", html.head);
    }
    assert!(get("pages/files/raw.bin").await.head.contains("application/octet-stream"));
    for path in [
        "pages/files/none.md",
        "pages/files/../SKILL.md",
        "pages/files/%2e%2e/double/skill.json",
        "none/files/a",
    ] {
        assert_eq!(get(path).await.status, 404, "{path}");
    }
}

// SPEC 21.12
#[tokio::test]
async fn the_source_of_a_skill_is_served() {
    let root = skills();
    let lock = "version = 1\n[[skill]]\nname = \"double\"\ndirectory = \"double\"\nsource = \"acme/skills@v1\"\n\
                revision = \"abc\"\nfiles = {}\n";
    support::write(root.path(), &[("skills.lock", lock)]);
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let skill = request(serving.address, "GET", "/v1/skills/double", "").await.json();
    assert_eq!((&skill["source"], &skill["revision"]), (&json!("acme/skills@v1"), &json!("abc")), "{skill}");
    let all = request(serving.address, "GET", "/v1/skills", "").await.json();
    let sources: Vec<_> =
        all.as_array().into_iter().flatten().filter(|skill| skill["source"] != json!(null)).collect();
    assert_eq!(sources.len(), 1, "{all}");
}
