//! Tests every route, status and body of SPEC 11.2 over a socket.

use std::time::Duration;

use axum::extract::State;
use serde_json::json;
use skills_call::Runner;
use skills_call::testing::ScriptedModel;
use skills_exec::{Caps, Environment};
use skills_http::{Api, Guard};
use skills_load::LayersBuilder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::{self, Answer, request, runner, serve, skills};

async fn post(serving: &support::Serving, path: &str, body: &str) -> Answer {
    request(serving.address, "POST", path, body).await
}

// SPEC 11.2, 11.1, 2.9, 1.8
#[tokio::test]
async fn the_list_equals_that_of_the_command() {
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
    // The gated and the internal skill are not listed.
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
            .contains("\"mode\": \"code\",\n    \"category\": \"c\",\n    \"tags\": [\n      \"sum\"\n    ],\n    \"callable\": true")
    );
    // SPEC 6.10
    let lacks = r#""callable": false,
    "missing": "Skill \"review\" (llm) has no model""#;
    assert!(answer.body.contains(lacks), "{}", answer.body);
    let empty = tempfile::tempdir().expect("a directory");
    let serving = serve(Api::new(runner(empty.path())), Guard::new()).await;
    assert_eq!(request(serving.address, "GET", "/v1/skills", "").await.body, "[]");
}

// SPEC 6.4, 11.2
#[tokio::test]
async fn refusals_with_many_violations_are_bounded() {
    let root = skills();
    let names: Vec<String> = (0..20).map(|at| format!("field{at}")).collect();
    let schema = json!({"type": "array", "items": {"type": "object", "required": names}}).to_string();
    support::write(root.path(), &[("typed/in.json", &schema)]);
    let serving = serve(Api::new(runner(root.path())).enable_exec(), Guard::new()).await;
    let records = vec!["{}"; 60_000].join(",");
    let refused = post(&serving, "/v1/skills/typed/exec", &format!("{{\"input\":[{records}]}}")).await;
    let problem = refused.json();
    let violations = problem["violations"].as_array().map(Vec::len);
    assert_eq!((refused.status, &problem["error"], violations), (400, &json!("invalid_input"), Some(101)));
    assert_eq!(problem["violations"][100]["actual"], "at least 20 more");
    assert!(refused.body.len() < 64 * 1024, "{}", refused.body.len());
    // A long unknown member is shortened in the message.
    let unknown =
        post(&serving, "/v1/skills/typed/exec", &format!("{{\"{}\":1}}", "x".repeat(500_000))).await;
    assert_eq!((unknown.status, unknown.body.len() < 1_000), (400, true));
}

// SPEC 16.7
#[tokio::test]
async fn skills_are_found_best_first() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let ask = async |query: &str| request(serving.address, "GET", &format!("/v1/skills?{query}"), "").await;
    let names = async |query: &str| -> Vec<String> {
        let found = ask(query).await.json();
        let name = |skill: &serde_json::Value| skill["name"].as_str().expect("a name").to_owned();
        found.as_array().expect("an array").iter().map(name).collect()
    };
    assert_eq!(names("search=says+it%20again").await.first().map(String::as_str), Some("echo"));
    assert_eq!(names("search=says&limit=1").await.len(), 1);
    assert_eq!(names("search=programs").await, ["lost"], "the internal skill is not found");
    assert_eq!(names("search=leave").await, [""; 0], "the gated skill is not found");
    assert_eq!(names("search=").await, [""; 0]);
    assert_eq!(names("other=1").await.len(), 9, "without a search it is the list");
    let found = ask("search=has+a+schema").await.json();
    let keys: Vec<&String> = found[0].as_object().expect("an object").keys().collect();
    assert!(
        keys.iter().any(|key| *key == "score") && found[0]["score"].as_f64().is_some_and(|score| score > 0.0)
    );
    for wrong in ["0", "33", "x", ""] {
        let answer = ask(&format!("search=a&limit={wrong}")).await;
        assert_eq!((answer.status, &answer.json()["error"]), (400, &json!("invalid_limit")), "{wrong}");
    }
}

// SPEC 16.8
#[tokio::test]
async fn pipelines_are_drawn() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let svg = request(serving.address, "GET", "/v1/skills/chain/graph", "").await;
    assert!(svg.head.contains("content-type: image/svg+xml") && svg.head.contains("sandbox"), "{}", svg.head);
    let boxes = svg.body.matches("data-node=").count();
    assert!(svg.body.starts_with("<svg ") && boxes == 4, "{}", svg.body);
    let head = format!(
        "GET /v1/skills/chain/graph HTTP/1.1\r\nhost: {}\r\nconnection: close\r\naccept: application/json\r\n\r\n",
        serving.address
    );
    let shapes = support::send(serving.address, head.as_bytes()).await.json();
    assert_eq!(
        (shapes["title"].as_str(), shapes["boxes"].as_array().map(Vec::len)),
        (Some("chain"), Some(boxes))
    );
    // Both come from the same layout, so each position of the shapes is in the picture.
    for shape in shapes["boxes"].as_array().expect("boxes") {
        let (id, x) = (shape["id"].as_str().expect("a name"), shape["x"].as_f64().expect("a number"));
        assert!(
            svg.body.contains(&format!("data-node=\"{id}\"><rect x=\"{x:.1}\"")),
            "{id} {x}: {}",
            svg.body
        );
    }
    let all = request(serving.address, "GET", "/v1/graph", "").await;
    assert!(
        all.body.contains("data-node=\"chain\"") && !all.body.contains("data-node=\"inner\""),
        "{}",
        all.body
    );
    for hidden in ["secret", "none"] {
        let answer = request(serving.address, "GET", &format!("/v1/skills/{hidden}/graph"), "").await;
        assert_eq!((answer.status, &answer.json()["error"]), (404, &json!("not_found")));
    }
}

// SPEC 6.3, 11.2: skills that are unknown to MCP are unknown over HTTP, too
#[tokio::test]
async fn an_internal_skill_is_unknown_to_every_route() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())).enable_exec(), Guard::new()).await;
    let requests = [("GET", ""), ("GET", "/graph"), ("POST", "/exec"), ("POST", "/call")];
    for (method, route) in requests {
        let ask = async |name: &str| {
            request(serving.address, method, &format!("/v1/skills/{name}{route}"), "").await
        };
        let (inner, nobody) = (ask("inner").await, ask("nobody").await);
        assert_eq!((inner.status, &inner.body), (404, &nobody.body), "{method} {route}");
        assert_ne!(ask("double").await.status, 404, "{method} {route}");
    }
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
    let encoded = request(serving.address, "GET", "/v1/skills/%70r%6Fse?why=not", "").await;
    assert_eq!(encoded.json(), prose, "a name is a name, however it is written");
    let double = request(serving.address, "GET", "/v1/skills/double", "").await.json();
    assert_eq!(double["input"]["required"], json!(["n"]));
    for hidden in [
        "secret",
        "none",
        "..%2f..%2fetc%2fpasswd",
        "prose%00",
        "prose%2Fnotes.md",
        "%ff",
        "%",
        "%zz",
        "Prose",
        "%2570rose",
        "prose.",
        "prose%20",
        "%F0%9F%A6%80",
    ] {
        let answer = request(serving.address, "GET", &format!("/v1/skills/{hidden}"), "").await;
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
    for path in [
        "/v1/skills/echo/exec",
        "/v1/skills/none/exec",
        "/v1/skills/%ff/exec",
        "/v1/skills/double/call",
        "/v1/skills/none/call",
        "/v1/skills/%ff/call",
    ] {
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
    // Digits and order are kept, whitespace is not.
    let exact = r#"{"b":12345678901234567890.10,"a":-0,"é":"\u0000/"}"#;
    let spaced = format!("{{ \"input\" :\n{} }}", exact.replace(',', " , "));
    assert_eq!(post(&serving, "/v1/skills/echo/exec", &spaced).await.json()["stdout"], exact);
    for empty in ["", " \r\n", "{}", r#"{"input": null, "timeout": null}"#, r#"{"input": ""}"#] {
        let nothing = post(&serving, "/v1/skills/echo/exec", empty).await;
        assert_eq!((nothing.status, nothing.json()["stdout"].as_str()), (200, Some("")), "{empty}");
    }
    let late = post(&serving, "/v1/skills/slow/exec", r#"{"timeout": "100ms"}"#).await;
    assert_eq!((late.status, late.json()["exit_code"].as_i64()), (200, Some(124)));
    assert_eq!(late.json()["error"], "timeout after 100ms");

    for (path, body, status, code) in [
        ("none/exec", "", 404, "not_found"),
        ("secret/exec", "", 404, "not_found"),
        ("%ff/exec", "", 404, "not_found"),
        ("%ff/call", "", 404, "not_found"),
        ("prose/exec", "", 422, "not_executable"),
        ("helper/exec", "", 422, "no_canonical_entry_point"),
        ("lost/exec", "", 400, "exec_not_found"),
        ("echo/exec", r#"{"timeout": "soon"}"#, 400, "invalid_timeout"),
        ("echo/exec", r#"{"timeout": 0}"#, 400, "invalid_timeout"),
        ("echo/exec", "{", 400, "invalid_json"),
        ("echo/exec", "[1]", 400, "invalid_json"),
        ("echo/exec", "null", 400, "invalid_json"),
        ("echo/exec", r#"{"input": "\ud800"}"#, 400, "invalid_json"),
        ("echo/exec", r#"{"input": 1, "input": 2}"#, 400, "invalid_json"),
        ("none/exec", "{", 400, "invalid_json"),
        ("none/call", "{", 400, "invalid_json"),
        ("typed/exec", r#"{"input": {"a": "x"}}"#, 400, "invalid_input"),
        ("typed/exec", "{}", 400, "invalid_input"),
        ("typed/exec", r#"{"input": "{a"}"#, 400, "invalid_input"),
        ("typed/exec", r#"{"inputs": {"a": 1}}"#, 400, "unknown_member"),
        ("double/call", r#"{"input": {"n": 1}, "timeout": 1}"#, 400, "unknown_member"),
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
    // A missing input, a missing property and a text that is not JSON break rules like any other value.
    for (path, body, pointer, rule, property) in [
        ("typed/exec", "", "", "json", None),
        ("typed/exec", r#"{"input": "{a"}"#, "", "json", None),
        ("typed/exec", r#"{"input": {}}"#, "", "required", Some("a")),
        ("double/call", "{}", "", "required", Some("n")),
        ("double/call", "{", "", "json", None),
        ("double/call", "[1]", "", "type", None),
    ] {
        let answer = post(&serving, &format!("/v1/skills/{path}"), body).await.json();
        let violation = &answer["violations"][0];
        let facts = (&violation["pointer"], &violation["rule"], violation["property"].as_str());
        assert_eq!(facts, (&json!(pointer), &json!(rule), property), "{path} {body}: {answer}");
    }
    let misspelt = post(&serving, "/v1/skills/typed/exec", r#"{"inputs": {"a": 1}}"#).await.json();
    assert_eq!(misspelt["detail"], r#"the body has no member "inputs"; did you mean "input"?"#);
}

// SPEC 7.8, 12.4: programs of `exec` run by the policy of the runner of the routes
#[tokio::test]
async fn programs_run_as_the_runner_says() {
    let root = skills();
    support::write(root.path(), &[("echo/bin/echo", "#!/bin/sh\nprintf '%s|%s' \"$TOKEN\" \"$HOME\"\n")]);
    let environment = Environment::from_variables([("TOKEN".into(), "t".into())], ["TOKEN"]);
    let runner = runner(root.path()).environment(environment).caps(Caps { stdout: 3, ..Caps::default() });
    let serving = serve(Api::new(runner).enable_exec(), Guard::new()).await;
    let ran = post(&serving, "/v1/skills/echo/exec", "").await.json();
    assert_eq!(ran["stdout"], "t|");
    support::write(root.path(), &[("echo/bin/echo", "#!/bin/sh\necho 12345\n")]);
    let ran = post(&serving, "/v1/skills/echo/exec", "").await.json();
    assert_eq!(ran["error"], "stdout was cut at 3 bytes, 3 more were dropped");
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
    // SPEC 6.3: a program of tier 3 is called like any function.
    let typed = call("typed", r#"{"input": {"a": 2}}"#).await;
    assert_eq!((typed.status, typed.json()), (200, json!({"output": {"a": 2}})));
    assert_eq!(call("typed", "{}").await.json()["violations"][0]["rule"], "required");
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

// SPEC 11.2: the list shows the current skills.
#[tokio::test]
async fn the_list_follows_the_skills() {
    let root = tempfile::tempdir().expect("a directory");
    let path = root.path().to_owned();
    let api = Api::live(move || Ok(Runner::from(LayersBuilder::new().directory(&path).load()?)));
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
    let expected = json!({"error": "discovery_failed", "detail": "read skills dir /gone: not a directory"});
    assert_eq!((answer.status, answer.json()), (500, expected));
}

// SPEC 11.2
#[tokio::test]
async fn other_paths_and_methods_answer_in_json() {
    let root = skills();
    let model = ScriptedModel::default();
    let serving = serve(Api::new(runner(root.path()).model(model)), Guard::new()).await;
    let (list, run, none) = ("allow: get,head", "allow: post", "content-type: application/json");
    for (method, path, status, header) in [
        ("DELETE", "/v1/skills", 405, list),
        ("OPTIONS", "/v1/skills", 405, list),
        ("PATCH", "/v1/skills/echo", 405, list),
        ("POST", "/v1/skills/none", 405, list),
        ("POST", "/v1/openapi.json", 405, list),
        ("POST", "/", 405, list),
        ("GET", "/v1/skills/echo/exec", 405, run),
        ("OPTIONS", "/v1/skills/none/exec", 405, run),
        ("PUT", "/v1/skills/echo/call", 405, run),
        ("GET", "/api/ai/chat", 405, run),
        ("BREW", "/api/ai/chat", 405, run),
        ("GET", "/v2", 404, none),
        ("GET", "/v1/skills/", 404, none),
        ("GET", "/v1/skills/echo/run", 404, none),
        ("POST", "/v1/skills/echo/exec/", 404, none),
        ("GET", "/V1/skills", 404, none),
        ("GET", "/v1/openapi.json/", 404, none),
        ("POST", "/api/ai/chat/", 404, none),
        ("GET", "/index.html", 404, none),
        ("OPTIONS", "*", 404, none),
    ] {
        let answer = request(serving.address, method, path, "").await;
        let code = if status == 405 { "method_not_allowed" } else { "not_found" };
        assert_eq!((answer.status, answer.json()["error"].as_str()), (status, Some(code)), "{method} {path}");
        assert!(
            answer.head.contains(header) && answer.head.contains(none),
            "{method} {path}: {}",
            answer.head
        );
    }
    for (path, status) in
        [("/v1/skills", 200), ("/v1/skills/none", 404), ("/v1/skills/echo/exec", 405), ("/v2", 404)]
    {
        let head = request(serving.address, "HEAD", path, "").await;
        assert_eq!((head.status, head.body.as_str()), (status, ""), "{path}");
        let whole = request(serving.address, if status == 405 { "PUT" } else { "GET" }, path, "").await;
        assert!(head.head.contains(none), "{path}: {}", head.head);
        let length = format!("content-length: {}", whole.body.len());
        assert!(head.head.lines().any(|line| line == length), "{path}: {}", head.head);
    }
}

// SPEC 11.2, 11.3: a host that mounts the routes keeps its state, and still answers its other paths.
#[tokio::test]
async fn routes_are_mounted_beside_those_of_a_host() {
    let root = skills();
    let api = Api::new(runner(root.path()));
    let own = axum::Router::new()
        .route("/health", axum::routing::get(async |State(health): State<&'static str>| health))
        .route("/v1/users", axum::routing::get(async || "users"))
        .fallback(async || "the host");
    let app = own
        .merge(skills_http::ui())
        .merge(api.routes())
        .merge(api.chat())
        .nest("/agent", api.routes().merge(api.chat()))
        .with_state("well");
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let serving = tokio::spawn(async move { axum::serve(listener, app).await });
    for (method, path, status, body) in [
        ("GET", "/health", 200, "well"),
        ("GET", "/v1/users", 200, "users"),
        ("GET", "/v2", 200, "the host"),
        ("GET", "/v1/skills/", 200, "the host"),
        ("DELETE", "/v1/skills", 405, r#"{"error":"method_not_allowed"}"#),
        ("GET", "/agent/api/ai/chat", 405, r#"{"error":"method_not_allowed"}"#),
    ] {
        let answer = request(address, method, path, "").await;
        assert_eq!((answer.status, answer.body.as_str()), (status, body), "{method} {path}");
    }
    let list = request(address, "GET", "/v1/skills", "").await.body;
    assert!(list.starts_with("[\n  {"), "{list}");
    assert_eq!(request(address, "GET", "/agent/v1/skills", "").await.body, list);
    serving.abort();
}

// SPEC 11.2
#[tokio::test]
async fn the_guard_protects_every_route_except_the_page() {
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

// SPEC 11.2: a page of another origin gets no answer, not even to a preflight request.
#[tokio::test]
async fn other_origins_are_refused() {
    let root = skills();
    let open = serve(Api::new(runner(root.path())).enable_exec(), Guard::new()).await;
    let guarded = serve(Api::new(runner(root.path())), Guard::new().token("s3cret").open("/")).await;
    let ask = async |serving: &support::Serving, line: &str, headers: &str| {
        support::send(serving.address, format!("{line}\r\nconnection: close\r\n{headers}\r\n").as_bytes())
            .await
    };
    let preflight =
        "access-control-request-method: POST\r\naccess-control-request-headers: authorization\r\n";
    for (origin, status) in [("https://evil.example", 403), ("null", 403), ("http://localhost", 405)] {
        for path in ["/v1/skills/echo/exec", "/api/ai/chat"] {
            let headers = format!("host: localhost\r\norigin: {origin}\r\n{preflight}");
            let answer = ask(&open, &format!("OPTIONS {path} HTTP/1.1"), &headers).await;
            assert_eq!(answer.status, status, "{origin} {path}");
            assert!(!answer.head.contains("access-control"), "{origin} {path}: {}", answer.head);
        }
    }
    // A form on another page can send this without a preflight request.
    let form = "host: localhost\r\norigin: https://evil.example\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n";
    let answer = support::send(
        open.address,
        format!("POST /v1/skills/echo/exec HTTP/1.1\r\nconnection: close\r\n{form}\r\n{{}}").as_bytes(),
    )
    .await;
    let expected = json!({"error": "forbidden", "detail": "the request is for or from another host"});
    assert_eq!((answer.status, answer.json()), (403, expected));

    let check = async |(line, headers, status): (&str, &str, u16)| {
        let answer = ask(&open, line, headers).await;
        assert_eq!(answer.status, status, "{line} {headers}: {}", answer.body);
        assert!(answer.head.contains("content-type: application/json"), "{line} {headers}: {}", answer.head);
    };
    // All at once: the server keeps the connection of a CONNECT for some seconds.
    let cases = [
        ("GET /v1/skills HTTP/1.0", "", 403),
        ("GET /v1/skills HTTP/1.1", "", 403),
        ("GET /v1/skills HTTP/1.0", "host: localhost\r\n", 200),
        ("GET http://localhost/v1/skills HTTP/1.0", "", 200),
        ("GET http://evil.example/v1/skills HTTP/1.0", "", 403),
        ("GET /v1/skills HTTP/1.1", "HOST: LOCALHOST:1\r\n", 200),
        ("GET /v1/skills HTTP/1.1", "host: [::1]:8787\r\n", 200),
        ("GET /v1/skills HTTP/1.1", "host: localhost\r\nhost: evil.example\r\n", 403),
        ("CONNECT localhost:80 HTTP/1.1", "host: localhost\r\n", 404),
        ("CONNECT evil.example:80 HTTP/1.1", "host: localhost\r\n", 403),
    ];
    futures_util::future::join_all(cases.map(check)).await;
    for path in ["/v1/skills", "/v1/none", "//", "/index.html", "/?/v1/skills/../../"] {
        let answer = ask(&guarded, &format!("GET {path} HTTP/1.1"), "host: localhost\r\n").await;
        let is_page = path.starts_with("/?");
        assert_eq!(answer.status, if is_page { 200 } else { 401 }, "{path}");
        assert_eq!(answer.head.contains("www-authenticate: bearer"), !is_page, "{path}: {}", answer.head);
    }
    let answer = ask(&guarded, "GET /v1/skills HTTP/1.1", "host: localhost\r\n").await;
    assert_eq!(answer.json(), json!({"error": "unauthorized", "detail": "a bearer token is needed"}));
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
    // Without a model, an `llm` skill cannot be called.
    assert!(document["paths"].get("/v1/skills/review/call").is_none());
}

// SPEC 11.7
#[tokio::test]
async fn the_document_names_its_prefix_and_the_event_streams() {
    let root = skills();
    let app = axum::Router::new().nest("/agent", Api::new(runner(root.path())).routes());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let serving = tokio::spawn(async move { axum::serve(listener, app).await });
    let document = request(address, "GET", "/agent/v1/openapi.json", "").await.json();
    serving.abort();
    assert_eq!(document["servers"], json!([{"url": "/agent"}]));
    let answers = &document["paths"]["/v1/skills/double/call"]["post"]["responses"]["200"]["content"];
    assert!(answers["text/event-stream"].is_object() && answers["application/json"].is_object(), "{answers}");
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let document = request(serving.address, "GET", "/v1/openapi.json", "").await.json();
    assert_eq!(document.get("servers"), None);
}

// SPEC 11.7
#[tokio::test]
async fn json_is_sent_with_its_type() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    for path in ["/v1/skills", "/v1/skills/none", "/nowhere"] {
        let answer = request(serving.address, "GET", path, "").await;
        assert!(answer.head.contains("x-content-type-options: nosniff"), "{path}: {}", answer.head);
    }
}

// SPEC 11.7
#[cfg(unix)]
#[tokio::test]
async fn runs_have_a_maximum_time_and_a_bounded_queue() {
    let (root, workspace) = (skills(), tempfile::tempdir().expect("a directory"));
    let api = Api::new(runner(root.path())).enable_exec().workspace(workspace.path()).concurrency(1).queue(1);
    let serving = serve(api.queue_time(Duration::from_secs(60)), Guard::new()).await;
    for (limit, status) in [("\"24h\"", 200), ("\"24h1ms\"", 400), ("18446744073709551615", 400)] {
        let answer = post(&serving, "/v1/skills/echo/exec", &format!(r#"{{"timeout": {limit}}}"#)).await;
        assert_eq!(answer.status, status, "{limit}: {}", answer.body);
        assert!(status == 200 || answer.json()["error"] == "invalid_timeout", "{limit}: {}", answer.body);
    }
    let address = serving.address;
    let run = |path: &'static str| {
        tokio::spawn(async move { request(address, "POST", path, r#"{"input": {"n": 1}}"#).await })
    };
    let running = run("/v1/skills/slow/exec");
    support::until("the program runs", || workspace.path().join("pid").exists().then_some(())).await;
    let waiting = run("/v1/skills/double/call");
    tokio::time::sleep(Duration::from_millis(300)).await;
    for path in ["/v1/skills/echo/exec", "/v1/skills/double/call"] {
        let answer = post(&serving, path, r#"{"input": {"n": 1}}"#).await;
        assert_eq!((answer.status, answer.json()), (503, json!({"error": "busy"})), "{path}");
        assert!(answer.head.contains("retry-after: 1"), "{}", answer.head);
    }
    running.abort();
    assert_eq!(waiting.await.expect("an answer").status, 200);
}

// SPEC 6.8
#[tokio::test]
async fn messages_of_providers_are_only_logged() {
    let root = skills();
    let failing = || ScriptedModel::default().error("401 for key s3cret", false);
    let api = Api::new(runner(root.path()).model(failing())).enable_exec();
    let serving = serve(api, Guard::new()).await;
    let answer = post(&serving, "/v1/skills/review/call", r#"{"input": {"code": "x"}}"#).await;
    let detail = "Skill \"review\" got no answer from the model; the log says why";
    assert_eq!((answer.status, answer.json()), (500, json!({"error": "call_failed", "detail": detail})));
}

// SPEC 6.10: the list is computed again when the callable skills change
#[tokio::test]
async fn the_list_follows_the_callable_skills() {
    let root = skills();
    let models = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let (bare, has_model) = (runner(root.path()), std::sync::Arc::clone(&models));
    let api = Api::live(move || {
        let model = has_model.load(std::sync::atomic::Ordering::SeqCst).then(ScriptedModel::default);
        Ok(model.map_or_else(|| bare.clone(), |model| bare.clone().model(model)))
    });
    let serving = serve(api, Guard::new()).await;
    for (is_there, expected) in [(false, false), (true, true), (false, false)] {
        models.store(is_there, std::sync::atomic::Ordering::SeqCst);
        let list = request(serving.address, "GET", "/v1/skills", "").await.json();
        let review = list.as_array().expect("an array").iter().find(|skill| skill["name"] == "review");
        assert_eq!(review.expect("it is listed")["callable"], json!(expected));
    }
}

// SPEC 13.4
#[tokio::test]
async fn requested_permissions_are_listed() {
    let root = tempfile::tempdir().expect("a directory");
    std::fs::create_dir(root.path().join("asks")).expect("made");
    let text = "---\nname: asks\ndescription: Asks.\nmetadata:\n  permissions: '{\"read\": [\"$WORKSPACE\"]}'\n---\n# Asks\n";
    std::fs::write(root.path().join("asks/SKILL.md"), text).expect("written");
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let wanted = json!({"read": ["$WORKSPACE"], "write": [], "net": "none", "env": []});
    let list = request(serving.address, "GET", "/v1/skills", "").await.json();
    assert_eq!(list[0]["permissions"], wanted);
    let shown = request(serving.address, "GET", "/v1/skills/asks", "").await.json();
    assert_eq!(shown["permissions"], wanted);
}

/// Returns the body of a response, byte for byte.
async fn bytes(address: std::net::SocketAddr, path: &str) -> Vec<u8> {
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("it listens");
    let text = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(text.as_bytes()).await.expect("it reads");
    let mut all = Vec::new();
    stream.read_to_end(&mut all).await.expect("an answer");
    let at = all.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
    assert!(all.starts_with(b"HTTP/1.1 200"), "{path}: {}", String::from_utf8_lossy(&all[..at]));
    all.split_off(at + 4)
}

/// Unpacks an archive with an independent program, and compares it with a directory.
fn unpacked(archive: &[u8], directory: &std::path::Path) {
    test_bed::need("python3");
    let place = tempfile::tempdir().expect("a directory");
    std::fs::write(place.path().join("skill.zip"), archive).expect("written");
    let script = "import os, sys, zipfile\n\
        archive = zipfile.ZipFile('skill.zip')\n\
        assert archive.testzip() is None\n\
        for info in archive.infolist():\n    \
            assert not info.filename.startswith('/') and '..' not in info.filename, info.filename\n    \
            print(oct(info.external_attr >> 16), info.filename)\n\
        archive.extractall('out')\n";
    let run = std::process::Command::new("python3").args(["-c", script]).current_dir(&place).output();
    let run = run.expect("python runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let mut open = vec![std::path::PathBuf::new()];
    let mut listed = Vec::new();
    while let Some(below) = open.pop() {
        for entry in std::fs::read_dir(directory.join(&below)).expect("a directory") {
            let entry = entry.expect("an entry");
            let path = below.join(entry.file_name());
            if entry.path().is_dir() {
                open.push(path);
                continue;
            }
            let ours = std::fs::read(place.path().join("out").join(&path)).expect("packed");
            let theirs = std::fs::read(entry.path()).expect("a file");
            // A function's frontmatter has no name, so it is added (SPEC 11.18).
            assert!(ours == theirs || path.ends_with("SKILL.md"), "{}", path.display());
            let mode = if theirs.starts_with(b"#!") { "0o100755" } else { "0o100644" };
            listed.push(format!("{mode} {}", path.display()));
        }
    }
    listed.sort_by(|a, b| a[9..].cmp(&b[9..]));
    assert_eq!(String::from_utf8_lossy(&run.stdout).lines().collect::<Vec<_>>(), listed);
}

// SPEC 11.21
#[tokio::test]
#[ignore = "needs python3"]
async fn another_program_unpacks_the_archives() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let index = request(serving.address, "GET", "/.well-known/agent-skills/index.json", "").await.json();
    let entries = index["skills"].as_array().expect("a list");
    let archives = entries.iter().filter(|entry| entry["type"] != "skill-md").map(|entry| {
        let text = |key: &str| entry[key].as_str().expect("text").to_owned();
        (text("name"), text("url"))
    });
    let archives: Vec<_> = archives.collect();
    assert!(!archives.is_empty(), "{index}");
    for (name, url) in archives {
        let archive = bytes(serving.address, &format!("/.well-known/agent-skills/{url}")).await;
        unpacked(&archive, &root.path().join(name));
    }
}

// SPEC 11.11, 11.21
#[tokio::test]
async fn the_index_has_the_digest_of_the_served_bytes() {
    let root = skills();
    let alone = [("alone/SKILL.md", "---\ndescription: Has no name and no other file.\n---\nAlone.\n")];
    support::write(root.path(), &alone);
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let answer = request(serving.address, "GET", "/.well-known/agent-skills/index.json", "").await;
    assert_eq!(answer.status, 200);
    let index = answer.json();
    assert_eq!(index["$schema"], "https://schemas.agentskills.io/discovery/0.2.0/schema.json");
    let entries = index["skills"].as_array().expect("a list");
    assert!(entries.iter().any(|entry| entry["name"] == "prose"), "{index}");
    for entry in entries {
        assert!(entry["description"].as_str().is_some_and(|text| !text.is_empty()), "{entry}");
        let url = entry["url"].as_str().expect("a path");
        let answer = bytes(serving.address, &format!("/.well-known/agent-skills/{url}")).await;
        let hex: String = hmac_sha256::Hash::hash(&answer).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(entry["digest"], format!("sha256:{hex}"), "{entry}");
        let name = entry["name"].as_str().expect("a name");
        let is_alone = std::fs::read_dir(root.path().join(name)).expect("a directory").count() == 1;
        assert_eq!((entry["type"] == "skill-md", url.ends_with(".zip")), (is_alone, !is_alone), "{entry}");
    }
    let zip = request(serving.address, "GET", "/.well-known/agent-skills/prose.zip", "").await;
    assert!(zip.head.contains("content-type: application/zip"), "{}", zip.head);
    for name in ["alone.zip", "prose", "prose.tar.gz", "secret.zip", "inner.zip", "%ff.zip", "..%2fprose.zip"]
    {
        let path = format!("/.well-known/agent-skills/{name}");
        assert_eq!(request(serving.address, "GET", &path, "").await.status, 404, "{name}");
    }
    let listed = |name: &str| entries.iter().any(|entry| entry["name"] == name);
    for name in ["gated", "internal", "double", "nobody", "..%2f..%2fetc"] {
        let path = format!("/.well-known/agent-skills/{name}/SKILL.md");
        let status = request(serving.address, "GET", &path, "").await.status;
        assert!(listed(name) || status == 404, "{name}: {status}");
    }
    assert_eq!(
        request(serving.address, "POST", "/.well-known/agent-skills/index.json", "").await.status,
        405
    );
}
