//! Tests every route, status and body of SPEC 11.2 with curl.
#![cfg(unix)]
#![allow(clippy::panic, reason = "these are tests")]

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use skills_call::testing::ScriptedModel;
use skills_http::{Api, Guard};

use crate::support::{self, Serving, runner, serve, serve_with, skills};

/// The output of curl.
struct Got {
    status: u16,
    kind: String,
    body: String,
}

impl Got {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Runs curl on a path of the server.
async fn curl(serving: &Serving, path: &str, arguments: &[&str]) -> Got {
    let mut command = Command::new("curl");
    command.args(["--silent", "--show-error", "--noproxy", "*", "--max-time", "60"]);
    command.args(["--write-out", "\n%{http_code} %{content_type}"]).args(arguments);
    command.arg(format!("http://{}{path}", serving.address)).stdin(Stdio::null());
    let output = tokio::task::spawn_blocking(move || command.output());
    let output = output.await.expect("it does not panic").expect("curl runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let (body, footer) = text.rsplit_once('\n').expect("what was asked for");
    let (status, kind) = footer.split_once(' ').expect("two words");
    Got { status: status.parse().expect("a number"), kind: kind.to_owned(), body: body.to_owned() }
}

// SPEC 11.2
#[tokio::test]
#[ignore = "needs curl"]
async fn skills_are_read() {
    test_bed::need("curl");
    let root = skills();
    let serving = serve(Api::new(runner(root.path())), Guard::new()).await;
    let list = curl(&serving, "/v1/skills", &[]).await;
    assert_eq!((list.status, list.kind.as_str()), (200, "application/json"));
    assert!(
        list.body.starts_with("[\n  {\n    \"name\": \"chain\",\n    \"version\": \"1.0.0\",\n"),
        "{}",
        list.body
    );
    let one = curl(&serving, "/v1/skills/double", &[]).await;
    assert_eq!((one.status, one.kind.as_str()), (200, "application/json"));
    let one = one.json();
    for member in ["name", "tier", "path", "frontmatter", "body", "resources", "input", "output"] {
        assert!(one.get(member).is_some(), "{member}: {one}");
    }
    assert_eq!(curl(&serving, "/v1/openapi.json", &[]).await.json()["openapi"], "3.1.0");
    let unknown = json!({"error": "not_found", "detail": "skill not found or not available"});
    // Without `--path-as-is`, curl removes the dots itself.
    let hidden = [
        "none",
        "secret",
        "..%2f..%2f..%2fetc%2fpasswd",
        "..%2Fdouble",
        "%2e%2e",
        "double%2fSKILL.md",
        "..\\double",
    ];
    for name in hidden {
        let got = curl(&serving, &format!("/v1/skills/{name}"), &["--path-as-is"]).await;
        assert_eq!(
            (got.status, got.kind.as_str(), got.json()),
            (404, "application/json", unknown.clone()),
            "{name}"
        );
    }
    for path in [
        "/v1/skills/../../../../etc/passwd",
        "/v1/../v1/skills",
        "//v1/skills",
        "/v1/skills/double/SKILL.md",
        "/etc/passwd",
    ] {
        let got = curl(&serving, path, &["--path-as-is"]).await;
        assert_eq!((got.status, got.kind.as_str()), (404, "application/json"), "{path}");
        assert_eq!(got.json()["error"], "not_found", "{path}");
    }
    let head = curl(&serving, "/v1/skills", &["--head"]).await;
    assert_eq!((head.status, head.kind.as_str()), (200, "application/json"));
    assert!(head.body.contains(&format!("content-length: {}\r\n", list.body.len())), "{}", head.body);
    assert!(head.body.trim_end().lines().count() > 2 && !head.body.contains('{'), "{}", head.body);
    assert_eq!(curl(&serving, "/v1/skills/none", &["--head"]).await.status, 404);
    for (method, path) in
        [("DELETE", "/v1/skills"), ("PUT", "/v1/skills/double"), ("GET", "/v1/skills/double/call")]
    {
        let got = curl(&serving, path, &["--request", method]).await;
        assert_eq!((got.status, got.kind.as_str()), (405, "application/json"), "{method} {path}");
    }
    let broken =
        serve(Api::live(|| Err("read skills dir /gone: not a directory".into())), Guard::new()).await;
    for path in ["/v1/skills", "/v1/skills/double", "/v1/openapi.json"] {
        let got = curl(&broken, path, &[]).await;
        let expected =
            json!({"error": "discovery_failed", "detail": "read skills dir /gone: not a directory"});
        assert_eq!(
            (got.status, got.kind.as_str(), got.json()),
            (500, "application/json", expected),
            "{path}"
        );
    }
}

// SPEC 11.2
#[tokio::test]
#[ignore = "needs curl"]
async fn skills_are_run() {
    test_bed::need("curl");
    let root = skills();
    let closed = serve(Api::new(runner(root.path())), Guard::new()).await;
    let disabled =
        json!({"error": "disabled", "detail": "skill exec via HTTP is disabled; start with --enable-exec"});
    for path in ["echo/exec", "none/exec", "double/call", "none/call", "secret/exec"] {
        let got = curl(&closed, &format!("/v1/skills/{path}"), &["--data", "{"]).await;
        assert_eq!(
            (got.status, got.kind.as_str(), got.json()),
            (403, "application/json", disabled.clone()),
            "{path}"
        );
    }
    let model = ScriptedModel::default().text("no JSON at all").text("nor this").text("nor that");
    let open = serve(Api::new(runner(root.path()).model(model)).enable_exec(), Guard::new()).await;
    let post = async |path: &str, body: &str| {
        let path = format!("/v1/skills/{path}");
        let got = curl(&open, &path, &["--json", body]).await;
        assert_eq!(got.kind, "application/json", "{path} {body}");
        got
    };
    let ran = post("echo/exec", r#"{"input": "as it is", "timeout": "30s"}"#).await;
    assert_eq!(ran.status, 200);
    let mut keys: Vec<String> = ran.json().as_object().expect("an object").keys().cloned().collect();
    keys.sort();
    assert_eq!(keys, ["duration_ms", "exit_code", "name", "stderr", "stdout"]);
    assert_eq!((&ran.json()["stdout"], &ran.json()["exit_code"]), (&json!("as it is"), &json!(3)));
    assert_eq!(
        post("echo/exec", r#"{"input": {"a": [1, null]}}"#).await.json()["stdout"],
        r#"{"a":[1,null]}"#
    );
    assert_eq!(curl(&open, "/v1/skills/echo/exec", &["--request", "POST"]).await.status, 200);
    let late = post("slow/exec", r#"{"timeout": "100ms"}"#).await;
    assert_eq!((late.status, &late.json()["exit_code"]), (200, &json!(124)));
    assert_eq!(post("double/call", r#"{"input": {"n": 2}}"#).await.body, r#"{"output":{"said":"twice"}}"#);
    for (path, body, status, error) in [
        ("none/exec", "{}", 404, "not_found"),
        ("secret/exec", "{}", 404, "not_found"),
        ("none/call", "{}", 404, "not_found"),
        ("..%2fdouble/call", "{}", 404, "not_found"),
        ("echo/exec", "{", 400, "invalid_json"),
        ("echo/exec", "[]", 400, "invalid_json"),
        ("double/call", "no", 400, "invalid_json"),
        ("typed/exec", r#"{"input": {"a": "x"}}"#, 400, "invalid_input"),
        ("double/call", r#"{"input": {}}"#, 400, "invalid_input"),
        ("lost/exec", "{}", 400, "exec_not_found"),
        ("echo/exec", r#"{"timeout": "soon"}"#, 400, "invalid_timeout"),
        ("prose/exec", "{}", 422, "not_executable"),
        ("helper/exec", "{}", 422, "no_canonical_entry_point"),
        ("review/call", r#"{"input": {"code": "x"}}"#, 500, "call_failed"),
    ] {
        let got = post(path, body).await;
        assert_eq!((got.status, got.json()["error"].as_str()), (status, Some(error)), "{path} {body}");
    }
    let violations = &post("double/call", r#"{"input": {"n": "x"}}"#).await.json()["violations"];
    assert_eq!(
        violations[0],
        json!({"pointer": "/n", "rule": "type", "expected": "an integer", "actual": violations[0]["actual"]})
    );
    let bare = serve(Api::new(runner(root.path())).enable_exec(), Guard::new()).await;
    let got = curl(&bare, "/v1/skills/review/call", &["--json", r#"{"input": {"code": "x"}}"#]).await;
    assert_eq!((got.status, got.json()), (503, json!({"error": "no_model"})));
    let got = curl(&bare, "/api/ai/chat", &["--json", r#"{"messages": []}"#]).await;
    assert_eq!((got.status, got.json()), (503, json!({"error": "no_model"})));
    let silent = Api::new(runner(root.path()).model(ScriptedModel::default().silence())).enable_exec();
    let silent = serve(silent, Guard::new()).await;
    let got = curl(&silent, "/v1/skills/review/call", &["--json", r#"{"input": {"code": "x"}}"#]).await;
    assert_eq!((got.status, got.json()["error"].as_str()), (504, Some("timeout")));
}

// SPEC 11.2
#[tokio::test]
#[ignore = "needs curl"]
async fn requests_are_guarded_and_limited() {
    test_bed::need("curl");
    let root = skills();
    let api =
        Api::new(runner(root.path())).enable_exec().body_limit(100).body_time(Duration::from_millis(300));
    let serving = serve_with(api, Guard::new().token("s3cret"), |server| server).await;
    let token = "authorization: Bearer s3cret";
    let get = async |headers: &[&str]| {
        let arguments: Vec<&str> = headers.iter().flat_map(|header| ["--header", header]).collect();
        curl(&serving, "/v1/skills", &arguments).await.status
    };
    assert_eq!(get(&[token]).await, 200);
    assert_eq!(get(&[]).await, 401);
    assert_eq!(get(&["authorization: Bearer guess"]).await, 401);
    assert_eq!(get(&[token, "host: evil.example"]).await, 403);
    assert_eq!(get(&[token, "origin: https://evil.example"]).await, 403);
    assert_eq!(get(&[token, "origin: null"]).await, 403);
    let long = format!("{{\"input\": \"{}\"}}", "x".repeat(200));
    for more in [&["--header", "transfer-encoding: chunked"][..], &[]] {
        let arguments = [&["--header", token, "--json", &long][..], more].concat();
        let got = curl(&serving, "/v1/skills/echo/exec", &arguments).await;
        assert_eq!((got.status, got.json()["error"].as_str()), (413, Some("too_large")));
    }
    let short = ["--header", token, "--header", "content-length: 50", "--json", "{"];
    let got = curl(&serving, "/v1/skills/echo/exec", &short).await;
    assert_eq!((got.status, got.json()["error"].as_str()), (408, Some("timeout")));
}

// SPEC 11.2
#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "needs curl"]
async fn a_program_ends_when_curl_disconnects() {
    test_bed::need("curl");
    let root = skills();
    let api = Api::new(runner(root.path())).enable_exec().workspace(root.path());
    let serving = serve(api, Guard::new()).await;
    let mut command = Command::new("curl");
    command.args(["--silent", "--noproxy", "*", "--request", "POST"]).stdout(Stdio::null());
    let mut client =
        command.arg(format!("http://{}/v1/skills/slow/exec", serving.address)).spawn().expect("curl runs");
    let pid = support::started(root.path()).await;
    client.kill().expect("it runs");
    client.wait().expect("it ran");
    support::gone(&pid).await;
}
