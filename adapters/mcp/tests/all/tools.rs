//! Tests skills as tools: which are listed, the answers of calls, and how calls are stopped (SPEC 6.3, 6.4,
//! 11.4).
#![cfg(unix)]

use std::sync::{Arc, Mutex};

use rmcp::ClientHandler;
use rmcp::model::{
    CallToolRequest, ClientCapabilities, ClientConfig, ClientRequest, Implementation,
    ProgressNotificationParam, SKILLS_EXTENSION_ID,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RoleClient};
use serde_json::{Value, json};
use skills_mcp::Server;

use crate::support::{
    Shop, arguments, call, connect, connect_as, directory, is_alive, refusal, runner, text, until,
};

// SPEC 6.2, 6.3, 11.4
#[tokio::test]
async fn callable_skills_are_tools() {
    let shop = Shop::new();
    let client = connect(shop.server()).await;
    let info = serde_json::to_value(client.peer_info().expect("initialized")).expect("JSON");
    assert_eq!(info["serverInfo"]["name"], "skills");
    let extension = &info["capabilities"]["extensions"]["io.modelcontextprotocol/skills"];
    assert_eq!(*extension, json!({"directoryRead": true}));
    let tools = client.list_all_tools().await.expect("tools");
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["chain", "double", "fails", "load_skill", "slow"]);
    let double = serde_json::to_value(&tools[1]).expect("JSON");
    assert_eq!(double["description"], "Is double.");
    assert_eq!(double["inputSchema"]["properties"]["n"]["type"], "integer");
    assert_eq!(double["outputSchema"]["required"], json!(["said"]));
    assert_eq!(double.get("annotations"), None, "of code nothing is known");
}

// SPEC 16.3, 16.7
#[tokio::test]
async fn skills_are_found_by_a_tool() {
    let shop = Shop::new();
    let few = skills_call::OnDemand::default();
    let client = connect(Server::new(runner(shop.root.path()).on_demand(few))).await;
    let tools = client.list_all_tools().await.expect("tools");
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["chain", "double", "fails", "load_skill", "search_skills", "slow"]);
    let search = serde_json::to_value(&tools[4]).expect("JSON");
    assert_eq!(search["annotations"], json!({"readOnlyHint": true, "openWorldHint": false}));
    assert_eq!(search["inputSchema"]["required"], json!(["query"]));
    let found =
        client.call_tool(arguments("search_skills", json!({"query": "double"}))).await.expect("an answer");
    assert_eq!(found.structured_content.expect("an object")["skills"][0]["name"], "double");
    let client = connect(shop.server()).await;
    assert!(client.call_tool(arguments("search_skills", json!({"query": "double"}))).await.is_err());
}

/// A client that reads skills through the Skills extension.
struct Reading;

impl ClientHandler for Reading {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities
            .extensions
            .get_or_insert_default()
            .insert(SKILLS_EXTENSION_ID.to_owned(), Default::default());
        ClientConfig::new(capabilities, Implementation::new("reading", "1"))
    }
}

// SPEC 11.4, 16.3
#[tokio::test]
async fn a_client_without_the_extension_loads_skills_by_a_tool() {
    let shop = Shop::new();
    let client = connect(shop.server()).await;
    let loaded =
        client.call_tool(arguments("load_skill", json!({"name": "prose"}))).await.expect("an answer");
    assert!(serde_json::to_string(&loaded.content).expect("JSON").contains("Read `notes.md`."));
    let few = skills_call::OnDemand::default();
    let client = connect(Server::new(runner(shop.root.path()).on_demand(few))).await;
    let found =
        client.call_tool(arguments("search_skills", json!({"query": "says how"}))).await.expect("an answer");
    assert_eq!(found.structured_content.expect("an object")["skills"][0]["uri"], "skill://prose/SKILL.md");
    let client = connect_as(Reading, shop.server()).await;
    let tools = client.list_all_tools().await.expect("tools");
    assert!(tools.iter().all(|tool| tool.name != "load_skill"));
}

// SPEC 6.2
#[tokio::test]
async fn a_model_makes_its_skills_tools() {
    let shop = Shop::new();
    let model = skills_call::testing::ScriptedModel::default().text(r#"{"said": "fine"}"#);
    let client = connect(Server::new(runner(shop.root.path()).model(model))).await;
    let tools = client.list_all_tools().await.expect("tools");
    let review = tools.iter().find(|tool| tool.name == "review").expect("a tool");
    let annotations = serde_json::to_value(&review.annotations).expect("JSON");
    assert_eq!(annotations, json!({"readOnlyHint": true, "openWorldHint": true}));
    let result = call(&client, "review", 1).await.expect("an answer");
    assert_eq!(result.structured_content, Some(json!({"said": "fine"})));
}

// SPEC 6.4, 11.4
#[tokio::test]
async fn an_output_is_text_and_structure() {
    let shop = Shop::new();
    let client = connect(shop.server()).await;
    let result = call(&client, "double", 4).await.expect("an answer");
    assert_eq!(result.structured_content, Some(json!({"said": "twice"})));
    assert_eq!(serde_json::from_str::<Value>(&text(&result)).expect("JSON"), json!({"said": "twice"}));
    assert_ne!(result.is_error, Some(true));
}

// SPEC 6.3, 11.4: a program with a schema is a tool that returns its output
#[tokio::test]
async fn a_program_with_a_schema_is_a_tool() {
    let root = directory(&[
        (
            "typed/SKILL.md",
            b"---\nname: typed\ndescription: Has a schema.\nexec: run\nschema: in.json\n---\n",
        ),
        ("typed/run", b"#!/bin/sh\nprintf hello\n"),
        ("typed/in.json", br#"{"type": "object", "properties": {"n": {"type": "integer"}}}"#),
    ]);
    let client = connect(Server::new(runner(root.path()))).await;
    let tools = serde_json::to_value(client.list_all_tools().await.expect("tools")).expect("JSON");
    assert_eq!(tools[1]["inputSchema"]["properties"]["n"]["type"], "integer", "{tools}");
    let result = call(&client, "typed", 1).await.expect("an answer");
    assert_eq!(text(&result), "hello");
}

// SPEC 6.4, 11.4: a client that gets an output schema expects structured content, which is an object.
#[tokio::test]
async fn an_output_that_may_not_be_an_object_is_only_text() {
    let skill = |name: &str, output: &str| {
        format!(
            r#"{{"name": "{name}", "description": "D.", "category": "c", "mode": "code", "input": {{"type": "object"}},
            "output": {output}}}"#
        )
    };
    let (word, either) =
        (skill("word", r#"{"type": "string"}"#), skill("either", r#"{"type": ["object", "array"]}"#));
    let root = directory(&[
        ("word/SKILL.md", b"---\nexec: run\n---\n"),
        ("word/run", b"#!/bin/sh\necho '\"a word\"'\n"),
        ("word/skill.json", word.as_bytes()),
        ("either/SKILL.md", b"---\nexec: run\n---\n"),
        ("either/run", b"#!/bin/sh\necho '[1, 2]'\n"),
        ("either/skill.json", either.as_bytes()),
    ]);
    let client = connect(Server::new(runner(root.path()))).await;
    for tool in client.list_all_tools().await.expect("tools") {
        assert_eq!(tool.output_schema, None, "{}", tool.name);
    }
    for (name, reply) in [("word", "a word"), ("either", "[1, 2]")] {
        let result = client.call_tool(arguments(name, json!({}))).await.expect("an answer");
        assert_eq!((text(&result).as_str(), &result.structured_content), (reply, &None));
        assert_ne!(result.is_error, Some(true));
    }
}

// SPEC 6.4, 11.4
#[tokio::test]
async fn violations_and_failures_are_results() {
    let shop = Shop::new();
    let client = connect(shop.server()).await;
    let input = arguments("double", json!({"n": "four", "other": 1}));
    let result = client.call_tool(input).await.expect("a result");
    assert_eq!((result.is_error, &result.structured_content), (Some(true), &None));
    let reply = text(&result);
    assert!(reply.starts_with("Skill \"double\" input validation failed\n"), "{reply}");
    assert!(
        reply.contains("/n: type: expected an integer") && reply.contains("/other: "),
        "all of them: {reply}"
    );
    let result = call(&client, "fails", 1).await.expect("a result");
    assert_eq!(result.is_error, Some(true));
    assert!(text(&result).contains("exited with code 3: out of luck"), "{}", text(&result));
}

// SPEC 2.9, 6.3
#[tokio::test]
async fn skills_that_are_not_tools_are_unknown() {
    let shop = Shop::new();
    let client = connect(shop.server()).await;
    for name in ["nothing", "secret", "inner", "hidden", "lonely", "review", "prose", "", "../double"] {
        assert_eq!(refusal(call(&client, name, 1).await), (-32602, format!("unknown tool: {name}")));
    }
}

#[derive(Clone, Default)]
struct Listening {
    heard: Arc<Mutex<Vec<ProgressNotificationParam>>>,
}

impl ClientHandler for Listening {
    async fn on_progress(&self, progress: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.heard.lock().expect("no panic").push(progress);
    }
}

// SPEC 7.6, 11.4
#[tokio::test]
async fn a_pipeline_reports_its_progress() {
    let shop = Shop::new();
    let listening = Listening::default();
    let client = connect_as(listening.clone(), shop.server()).await;
    let input = arguments("chain", json!({"n": 1, "list": [1, 2]}));
    // The rmcp client sends its own token with every request.
    let result = client.call_tool(input).await.expect("a result");
    assert_eq!(result.structured_content, Some(json!({"said": "twice"})));
    let heard = || listening.heard.lock().expect("no panic").clone();
    until("everything is reported", || heard().len() >= 6).await;
    let notified: Vec<(String, Option<f64>)> =
        heard().into_iter().map(|notified| (notified.message.unwrap_or_default(), notified.total)).collect();
    let messages: Vec<&str> = notified.iter().map(|(message, _)| message.as_str()).collect();
    let mut sorted = messages.clone();
    sorted.sort_unstable();
    assert_eq!(
        sorted,
        ["many: 1 of 2", "many: 2 of 2", "many: done", "never: skipped", "one: done", "two: done"]
    );
    assert!(notified.iter().all(|(_, total)| *total == Some(4.0)));
    let values: Vec<f64> = heard().iter().map(|update| update.progress).collect();
    assert!(values.is_sorted_by(|a, b| a < b), "progress grows: {values:?}");
    assert_eq!(values.last(), Some(&4.0));
}

// SPEC 6.4, 11.4
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_cancelled_call_ends_with_its_processes() {
    let shop = Shop::new();
    let client = connect(shop.server()).await;
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(arguments("slow", json!({"n": 1}))));
    let options = PeerRequestOptions::no_options();
    let handle = client.send_cancellable_request(request, options).await.expect("sent");
    let (pid, child) = (shop.pid().await, shop.child());
    assert!(is_alive(&pid) && is_alive(&child));
    handle.cancel(Some("enough".to_owned())).await.expect("sent");
    until("the program is gone", || !is_alive(&pid)).await;
    until("what it started is gone", || !is_alive(&child)).await;
    assert!(call(&client, "double", 1).await.is_ok(), "the session goes on");
}

// SPEC 6.4, 11.4
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_call_ends_with_its_client() {
    let shop = Shop::new();
    let client = connect(shop.server()).await;
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(arguments("slow", json!({"n": 1}))));
    let handle =
        client.send_cancellable_request(request, PeerRequestOptions::no_options()).await.expect("sent");
    let pid = shop.pid().await;
    client.cancel().await.expect("closed");
    drop(handle);
    until("the program is gone", || !is_alive(&pid)).await;
}

// SPEC 1.6
#[tokio::test]
async fn a_live_server_has_the_current_skills() {
    let root = directory(&[("a/SKILL.md", b"---\nname: a\ndescription: A.\n---\nA.\n")]);
    let path = root.path().to_owned();
    let client = connect(Server::live(move || Ok(runner(&path)))).await;
    assert_eq!(client.list_all_prompts().await.expect("prompts").len(), 1);
    std::fs::create_dir(root.path().join("b")).expect("a directory");
    std::fs::write(root.path().join("b/SKILL.md"), "---\nname: b\ndescription: B.\n---\nB.\n")
        .expect("a file");
    assert_eq!(client.list_all_prompts().await.expect("prompts").len(), 2);
    let gone = connect(Server::live::<()>(|| Err("the disk is full".into()))).await;
    let (code, reply) = refusal(gone.list_all_tools().await);
    assert_eq!((code, reply.as_str()), (-32603, "the skills cannot be read: the disk is full"));
}

// SPEC 13.4
#[tokio::test]
async fn requested_permissions_are_listed() {
    let asks = r#""permissions": {"net": ["a.example"]},"#;
    let function = format!(
        r#"{{"name": "asks", "description": "Asks.", "category": "c", "mode": "code", {asks} "input": {{"type": "object"}}, "output": {{}}}}"#
    );
    let root = directory(&[
        ("asks/SKILL.md", b"---\nexec: run\n---\nAsks.\n"),
        ("asks/run", b"#!/bin/sh\necho 1\n"),
        ("asks/skill.json", function.as_bytes()),
    ]);
    let client = connect(Server::new(runner(root.path()))).await;
    let tools = client.list_all_tools().await.expect("tools");
    let tool = serde_json::to_value(&tools[0]).expect("JSON");
    let wanted = json!({"read": [], "write": [], "net": ["a.example"], "env": []});
    assert_eq!(tool["_meta"]["skills/permissions"], wanted, "{tool}");
}

// SPEC 21.12
#[tokio::test]
async fn the_source_of_a_skill_is_listed() {
    let lock = "version = 1\n[[skill]]\nname = \"asks\"\ndirectory = \"asks\"\nsource = \"acme/skills@v1\u{202e}\"\n\
                revision = \"abc\"\nfiles = {}\n";
    let function = r#"{"name": "asks", "description": "Asks.", "category": "c", "mode": "code", "input": {"type": "object"}, "output": {}}"#;
    let root = directory(&[
        ("skills.lock", lock.as_bytes()),
        ("asks/SKILL.md", b"---\nexec: run\n---\nAsks.\n"),
        ("asks/run", b"#!/bin/sh\necho 1\n"),
        ("asks/skill.json", function.as_bytes()),
        ("own/SKILL.md", b"---\nname: own\ndescription: Own.\n---\nOwn.\n"),
    ]);
    let client = connect(Server::new(runner(root.path()))).await;
    let source_of = |object: Value| object["_meta"]["skills/source"].clone();
    let wanted = json!({"name": "acme/skills@v1\u{fffd}", "revision": "abc"});
    let tools = client.list_all_tools().await.expect("tools");
    assert_eq!(source_of(serde_json::to_value(&tools[0]).expect("JSON")), wanted);
    let prompts = client.list_all_prompts().await.expect("prompts");
    let prompts: Vec<Value> =
        prompts.iter().map(|prompt| source_of(serde_json::to_value(prompt).expect("JSON"))).collect();
    assert_eq!(prompts, [wanted.clone(), Value::Null]);
    let resources = client.list_all_resources().await.expect("resources");
    let document = resources.iter().find(|file| file.uri == "skill://asks/SKILL.md").expect("it is there");
    assert_eq!(source_of(serde_json::to_value(document).expect("JSON")), wanted);
}
