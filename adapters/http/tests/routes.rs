//! Every route, status and body of SPEC 11.2, over a socket.

use serde_json::json;
use skills_http::{Api, Guard};
use skills_runtime::call::Runner;
use skills_runtime::load::Layers;
use skills_runtime::testing::ScriptedModel;

mod support;
use support::{Answer, request, runner, serve, skills};

async fn post(serving: &support::Serving, path: &str, body: &str) -> Answer {
    request(serving.address, "POST", path, body).await
}

// SPEC 11.2, 11.1, 2.9, 1.8
#[tokio::test]
async fn the_list_is_that_of_the_command() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let answer = request(serving.address, "GET", "/v1/skills", "").await;
    assert_eq!(answer.status, 200);
    assert!(answer.head.contains("content-type: application/json"), "{}", answer.head);
    let names: Vec<String> = answer
        .json()
        .as_array()
        .expect("an array")
        .iter()
        .map(|skill| skill["name"].as_str().expect("a name").to_owned())
        .collect();
    // Neither the gated nor the internal skill is there.
    assert_eq!(names, ["chain", "double", "echo", "helper", "lost", "prose", "review", "slow", "typed"]);
    let echo = format!(
        "  {{\n    \"name\": \"echo\",\n    \"version\": \"0.1.0\",\n    \"tier\": 2,\n    \"description\": \"Says it again.\",\n    \
         \"exec\": \"bin/echo\",\n    \"schema\": null,\n    \"path\": \"{}/echo\",\n    \"requires\": []\n  }}",
        root.path().display()
    );
    assert!(answer.body.contains(&echo), "{}", answer.body);
    assert!(
        answer
            .body
            .contains("\"mode\": \"code\",\n    \"category\": \"c\",\n    \"tags\": [\n      \"sum\"\n    ]")
    );
    let empty = tempfile::tempdir().expect("a directory");
    let serving = serve(Api::new(runner(empty.path())), Guard::new()).await;
    assert_eq!(request(serving.address, "GET", "/v1/skills", "").await.body, "[]");
}

// SPEC 11.2
#[tokio::test]
async fn one_skill_has_its_text_files_and_schemas() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let prose = request(serving.address, "GET", "/v1/skills/prose", "").await.json();
    assert_eq!(prose["frontmatter"]["description"], "Says how.");
    assert_eq!(prose["body"], "# How\n\nRead `notes.md`.\n");
    assert_eq!(prose["resources"][0]["path"], "notes.md");
    assert_eq!(prose["resources"][0]["bytes"], 7);
    assert_eq!((prose["input"].is_null(), prose["tier"].as_u64()), (true, Some(0)));
    let double = request(serving.address, "GET", "/v1/skills/double", "").await.json();
    assert_eq!(double["input"]["required"], json!(["n"]));
    for hidden in ["secret", "none", "..%2f..%2fetc%2fpasswd", "prose%00", "prose%2Fnotes.md", "%ff"] {
        let answer = request(serving.address, "GET", &format!("/v1/skills/{hidden}"), "").await;
        if hidden == "%ff" {
            assert!(answer.status == 400 || answer.status == 404, "{answer:?}");
            continue;
        }
        assert_eq!(answer.status, 404, "{hidden}");
        let unknown = json!({"error": "not_found", "detail": "skill not found or not available"});
        assert_eq!(answer.json(), unknown, "{hidden}");
    }
}

// SPEC 11.2
#[tokio::test]
async fn running_is_disabled_unless_enabled() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let text = "skill exec via HTTP is disabled; start with --enable-exec";
    for path in
        ["/v1/skills/echo/exec", "/v1/skills/none/exec", "/v1/skills/double/call", "/v1/skills/none/call"]
    {
        let answer = post(&serving, path, "{no json").await;
        assert_eq!(answer.status, 403, "{path}");
        assert_eq!(answer.json(), json!({"error": "disabled", "detail": text}));
    }
}

// SPEC 11.2, 7.2, 7.3
#[tokio::test]
async fn programs_run_and_refusals_have_their_codes() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())).enable_exec(), Guard::new()).await;
    let ran = post(&serving, "/v1/skills/echo/exec", r#"{"input": "as it is"}"#).await;
    assert_eq!(
        (ran.status, ran.json()["stdout"].as_str(), ran.json()["exit_code"].as_i64()),
        (200, Some("as it is"), Some(3))
    );
    let value = post(&serving, "/v1/skills/echo/exec", r#"{"input": {"a": [1, "x"]}}"#).await;
    assert_eq!(value.json()["stdout"], r#"{"a":[1,"x"]}"#);
    let nothing = post(&serving, "/v1/skills/echo/exec", "").await;
    assert_eq!((nothing.status, nothing.json()["stdout"].as_str()), (200, Some("")));
    let late = post(&serving, "/v1/skills/slow/exec", r#"{"timeout": "100ms"}"#).await;
    assert_eq!((late.status, late.json()["exit_code"].as_i64()), (200, Some(124)));
    assert_eq!(late.json()["error"], "timeout after 100ms");

    for (path, body, status, code) in [
        ("none/exec", "", 404, "not_found"),
        ("secret/exec", "", 404, "not_found"),
        ("prose/exec", "", 422, "not_executable"),
        ("helper/exec", "", 422, "no_canonical_entry_point"),
        ("lost/exec", "", 400, "exec_not_found"),
        ("echo/exec", r#"{"timeout": "soon"}"#, 400, "invalid_timeout"),
        ("echo/exec", r#"{"timeout": 0}"#, 400, "invalid_timeout"),
        ("echo/exec", "{", 400, "invalid_json"),
        ("echo/exec", "[1]", 400, "invalid_json"),
        ("typed/exec", r#"{"input": {"a": "x"}}"#, 400, "invalid_input"),
        ("typed/exec", "{}", 400, "invalid_input"),
    ] {
        let answer = post(&serving, &format!("/v1/skills/{path}"), body).await;
        assert_eq!((answer.status, answer.json()["error"].as_str()), (status, Some(code)), "{path} {body}");
        assert!(answer.head.contains("content-type: application/json"));
    }
    let prose = post(&serving, "/v1/skills/prose/exec", "").await.json();
    let detail = format!(
        "not_executable: skill \"prose\" is tier-0 (prose-only). Read its SKILL.md at {}/prose/SKILL.md and act per its instructions.",
        root.path().display()
    );
    assert_eq!(prose["detail"], detail);
    let violation = post(&serving, "/v1/skills/typed/exec", r#"{"input": {"a": "x"}}"#).await.json();
    assert_eq!(
        (&violation["violations"][0]["pointer"], &violation["violations"][0]["rule"]),
        (&json!("/a"), &json!("type"))
    );
}

// SPEC 11.2, 6.4
#[tokio::test]
async fn functions_of_every_mode_are_called() {
    let root = skills();
    let model = ScriptedModel::default().text(r#"{"ok": true}"#);
    let api = Api::new(runner(root.path()).model(model)).enable_exec();
    let serving = serve(api, Guard::new()).await;
    let call = async |name: &str, body: &str| post(&serving, &format!("/v1/skills/{name}/call"), body).await;
    for name in ["double", "chain"] {
        let answer = call(name, r#"{"input": {"n": 2}}"#).await;
        assert_eq!((answer.status, answer.json()), (200, json!({"output": {"said": "twice"}})), "{name}");
    }
    let reviewed = call("review", r#"{"input": {"code": "x"}}"#).await;
    assert_eq!((reviewed.status, reviewed.json()), (200, json!({"output": {"ok": true}})));
    let wrong = call("double", r#"{"input": {"n": "2"}}"#).await;
    assert_eq!((wrong.status, wrong.json()["violations"][0]["pointer"].as_str()), (400, Some("/n")));
    assert_eq!(call("none", "{}").await.status, 404);
    assert_eq!(call("prose", "{}").await.status, 404);
    let failed = call("review", r#"{"input": {"code": "x"}}"#).await;
    assert_eq!((failed.status, failed.json()["error"].as_str()), (500, Some("call_failed")));

    let serving = serve(Api::new(runner(root.path())).enable_exec(), Guard::new()).await;
    let answer = post(&serving, "/v1/skills/review/call", r#"{"input": {"code": "x"}}"#).await;
    assert_eq!((answer.status, answer.json()), (503, json!({"error": "no_model"})));
    let silent = Api::new(runner(root.path()).model(ScriptedModel::default().silence())).enable_exec();
    let serving = serve(silent, Guard::new()).await;
    let answer = post(&serving, "/v1/skills/review/call", r#"{"input": {"code": "x"}}"#).await;
    assert_eq!((answer.status, answer.json()["error"].as_str()), (504, Some("timeout")));
}

// SPEC 11.2: the list is that of the skills as they are.
#[tokio::test]
async fn the_list_follows_the_skills() {
    let root = tempfile::tempdir().expect("a directory");
    let path = root.path().to_owned();
    let api = Api::live(move || Ok(Runner::from(Layers::builder().directory(&path).load()?)));
    let serving = serve(api, Guard::new()).await;
    let list = async || request(serving.address, "GET", "/v1/skills", "").await.json();
    assert_eq!(list().await, json!([]));
    for description in ["First.", "Later."] {
        let text = format!("---\nname: new\ndescription: {description}\n---\n");
        support::write(root.path(), &[("new/SKILL.md", &text)]);
        assert_eq!(list().await[0]["description"], description);
    }
    let fixed = serve(Api::new(runner(root.path())), Guard::new()).await;
    let first = request(fixed.address, "GET", "/v1/skills", "").await.body;
    std::fs::remove_dir_all(root.path().join("new")).expect("it is there");
    assert_eq!(list().await, json!([]));
    let again = request(fixed.address, "GET", "/v1/skills", "").await.body;
    assert!(first.contains("Later.") && first == again, "what was read once stays");
}

// SPEC 11.2, 1.2
#[tokio::test]
async fn skills_that_cannot_be_found_are_an_error() {
    let api = Api::live(|| Err("read skills dir /gone: not a directory".into()));
    let serving = serve(api, Guard::new()).await;
    let answer = request(serving.address, "GET", "/v1/skills", "").await;
    let told = json!({"error": "discovery_failed", "detail": "read skills dir /gone: not a directory"});
    assert_eq!((answer.status, answer.json()), (500, told));
}

// SPEC 11.2
#[tokio::test]
async fn other_paths_and_methods_answer_in_json() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    for (method, path, status) in [
        ("DELETE", "/v1/skills", 405),
        ("GET", "/v1/skills/echo/exec", 405),
        ("GET", "/v2", 404),
        ("GET", "/v1/skills/", 404),
    ] {
        let answer = request(serving.address, method, path, "").await;
        assert_eq!(answer.status, status, "{method} {path}");
        assert!(answer.json()["error"].is_string(), "{method} {path}: {}", answer.body);
    }
}

// SPEC 11.2
#[tokio::test]
async fn the_guard_stands_before_every_route_but_the_page() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new().token("s3cret").open("/")).await;
    let get = |path: &str, headers: &str| {
        let text = format!("GET {path} HTTP/1.1\r\nconnection: close\r\n{headers}\r\n");
        async move { support::send(serving.address, text.as_bytes()).await.status }
    };
    assert_eq!(get("/v1/skills", "host: localhost\r\nauthorization: Bearer s3cret\r\n").await, 200);
    assert_eq!(get("/v1/skills", "host: localhost\r\n").await, 401);
    assert_eq!(get("/api/ai/chat", "host: localhost\r\n").await, 401);
    assert_eq!(get("/", "host: localhost\r\n").await, 200);
    assert_eq!(get("/", "host: evil.example\r\n").await, 403);
    let foreign = "host: localhost\r\nauthorization: Bearer s3cret\r\norigin: https://evil.example\r\n";
    assert_eq!(get("/v1/skills", foreign).await, 403);
    assert_eq!(
        get("http://evil.example/v1/skills", "host: localhost\r\nauthorization: Bearer s3cret\r\n").await,
        403
    );
}

// SPEC 11.2
#[tokio::test]
async fn the_document_has_a_path_for_each_function() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let document = request(serving.address, "GET", "/v1/openapi.json", "").await.json();
    assert_eq!(document["openapi"], "3.1.0");
    let path =
        &document["paths"]["/v1/skills/double/call"]["post"]["requestBody"]["content"]["application/json"];
    assert_eq!(path["schema"]["properties"]["input"]["required"], json!(["n"]));
    // Without a model there is nothing to call an `llm` skill with.
    assert!(document["paths"].get("/v1/skills/review/call").is_none());
}
