//! Tests notifications about skills that change while they are served, on streams and over HTTP (SPEC 1.6,
//! 11.4).
#![cfg(unix)]
#![allow(deprecated, reason = "clients of older protocols subscribe to resources")]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{ResourceUpdatedNotificationParam, SubscribeRequestParams, UnsubscribeRequestParams};
use rmcp::service::{NotificationContext, RoleClient};
use rmcp::{ClientHandler, ServiceExt};
use serde_json::json;
use skills_mcp::{Notifier, Server};
use tempfile::TempDir;

use crate::support::{self, Raw, connect_as, directory, refusal, runner, until};

#[derive(Clone, Default)]
struct Listening {
    heard: Arc<Mutex<Vec<String>>>,
}

impl Listening {
    fn hear(&self, what: impl Into<String>) {
        self.heard.lock().expect("no panic").push(what.into());
    }

    /// Waits until this many notifications were received, and removes them.
    async fn take(&self, count: usize) -> Vec<String> {
        until("it is reported", || self.heard.lock().expect("no panic").len() >= count).await;
        std::mem::take(&mut *self.heard.lock().expect("no panic"))
    }
}

impl ClientHandler for Listening {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.hear("tools");
    }

    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.hear("prompts");
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.hear("resources");
    }

    async fn on_resource_updated(
        &self,
        updated: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.hear(updated.uri);
    }
}

const A: &[u8] = b"---\nname: a\ndescription: A.\nuser-invocable: false\n---\nA.\n";

fn skills() -> TempDir {
    directory(&[("a/SKILL.md", A), ("a/notes.md", b"one\n"), ("a/more.md", b"more\n")])
}

fn live(root: &Path, notifier: &Notifier) -> Server {
    let root = root.to_owned();
    Server::live(move || Ok(runner(&root))).notifier(notifier)
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().expect("inside the root")).expect("a directory");
    std::fs::write(path, text).expect("a file");
}

const TOOL: &str = r#"{"name": "tool", "description": "T.", "category": "c", "mode": "code",
    "input": {"type": "object"}, "output": {"type": "object"}}"#;

fn add_tool(root: &Path) {
    write(root, "tool/run", "#!/bin/sh\ncat\n");
    write(root, "tool/SKILL.md", "---\nexec: run\nuser-invocable: false\n---\n");
    write(root, "tool/skill.json", TOOL);
}

// SPEC 1.6, 11.4
#[tokio::test]
async fn a_client_is_notified_of_real_changes_only() {
    let (root, notifier) = (skills(), Notifier::default());
    let listening = Listening::default();
    let client = connect_as(listening.clone(), live(root.path(), &notifier)).await;
    let info = serde_json::to_value(client.peer_info().expect("initialized")).expect("JSON");
    assert_eq!(info["capabilities"]["tools"], json!({"listChanged": true}));
    assert_eq!(info["capabilities"]["prompts"], json!({"listChanged": true}));
    assert_eq!(info["capabilities"]["resources"], json!({"listChanged": true, "subscribe": true}));

    write(root.path(), "p/SKILL.md", "---\nname: p\ndescription: P.\n---\nP.\n");
    notifier.changed();
    assert_eq!(listening.take(3).await, ["tools", "prompts", "resources"]);
    assert_eq!(client.list_all_prompts().await.expect("prompts").len(), 1);
    // First nothing changes, then the text of a file whose digest is listed.
    notifier.changed();
    write(root.path(), "a/notes.md", "two\n");
    notifier.changed();
    assert_eq!(listening.take(1).await, ["resources"]);
    add_tool(root.path());
    notifier.changed();
    assert_eq!(listening.take(2).await, ["tools", "resources"]);
    assert_eq!(client.list_all_tools().await.expect("tools").len(), 2, "and `load_skill`");
    std::fs::remove_dir_all(root.path().join("tool")).expect("removed");
    std::fs::remove_dir_all(root.path().join("p")).expect("removed");
    notifier.changed();
    assert_eq!(listening.take(3).await, ["tools", "prompts", "resources"]);
}

// SPEC 11.4
#[tokio::test]
async fn a_server_that_does_not_change_declares_that() {
    let root = skills();
    let client = support::connect(Server::new(runner(root.path()))).await;
    let info = serde_json::to_value(client.peer_info().expect("initialized")).expect("JSON");
    for kind in ["tools", "prompts", "resources"] {
        assert_eq!(info["capabilities"][kind], json!({}), "{kind}");
    }
    let uri = "skill://a/notes.md";
    assert_eq!(refusal(client.subscribe(SubscribeRequestParams::new(uri)).await).0, -32601);
    assert_eq!(refusal(client.unsubscribe(UnsubscribeRequestParams::new(uri)).await).0, -32601);
}

// SPEC 11.4
#[tokio::test]
async fn a_client_follows_files() {
    let (root, notifier) = (skills(), Notifier::default());
    let listening = Listening::default();
    let client = connect_as(listening.clone(), live(root.path(), &notifier)).await;
    for uri in ["skill://a/notes.md", "skill://a/more.md", "skill://a/more.md"] {
        client.subscribe(SubscribeRequestParams::new(uri)).await.expect("subscribed");
    }
    for uri in ["skill://a", "skill://a/none.md", "skill://b/SKILL.md", "skill://a/../a/notes.md", ""] {
        let (_, reason) = refusal(client.subscribe(SubscribeRequestParams::new(uri)).await);
        assert_eq!(reason, format!("unknown resource: {uri}"));
    }
    write(root.path(), "a/notes.md", "two\n");
    notifier.changed();
    assert_eq!(listening.take(2).await, ["resources", "skill://a/notes.md"]);
    client.unsubscribe(UnsubscribeRequestParams::new("skill://a/notes.md")).await.expect("unsubscribed");
    write(root.path(), "a/notes.md", "three\n");
    std::fs::remove_file(root.path().join("a/more.md")).expect("removed");
    notifier.changed();
    assert_eq!(listening.take(2).await, ["resources", "skill://a/more.md"], "once, when it goes");
    write(root.path(), "a/more.md", "again\n");
    notifier.changed();
    assert_eq!(listening.take(2).await, ["resources", "skill://a/more.md"], "and when it comes again");
}

// SPEC 11.4
#[tokio::test]
async fn temporarily_unreadable_skills_are_not_a_change() {
    let (root, notifier) = (skills(), Notifier::default());
    let path = root.path().to_owned();
    let failures = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&failures);
    let server = Server::live(move || {
        if path.join("broken").exists() {
            count.fetch_add(1, Ordering::Relaxed);
            return Err("broken".into());
        }
        Ok(runner(&path))
    });
    let listening = Listening::default();
    let _client = connect_as(listening.clone(), server.notifier(&notifier)).await;
    write(root.path(), "broken", "");
    notifier.changed();
    until("the server has seen it", || failures.load(Ordering::Relaxed) > 0).await;
    std::fs::remove_file(root.path().join("broken")).expect("removed");
    notifier.changed();
    write(root.path(), "p/SKILL.md", "---\nname: p\ndescription: P.\n---\nP.\n");
    notifier.changed();
    assert_eq!(listening.take(3).await, ["tools", "prompts", "resources"]);
}

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
    "io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

// SPEC 11.4
#[tokio::test]
async fn a_client_without_initialize_listens() {
    let (root, notifier) = (skills(), Notifier::default());
    let mut raw = Raw::new(live(root.path(), &notifier));
    let listen = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{{"notifications":{{
        "promptsListChanged":true,"resourceSubscriptions":["skill://a/notes.md","skill://a/none.md"]}},{META}}}}}"#
    );
    raw.line(listen.replace('\n', " ").as_bytes()).await;
    let message = raw.next().await.expect("acknowledged");
    assert_eq!(message["method"], "notifications/subscriptions/acknowledged");
    let accepted = json!({"promptsListChanged": true, "resourceSubscriptions": ["skill://a/notes.md"]});
    assert_eq!(message["params"]["notifications"], accepted);
    // It starts listening soon after that.
    let mut count = 0;
    let message = loop {
        write(root.path(), "a/notes.md", &format!("{count}\n"));
        notifier.changed();
        count += 1;
        if let Ok(message) = tokio::time::timeout(Duration::from_millis(100), raw.next()).await {
            break message.expect("a message");
        }
        assert!(count < 600, "nothing is reported");
    };
    assert_eq!(message["method"], "notifications/resources/updated");
    assert_eq!(message["params"]["uri"], "skill://a/notes.md");
    write(root.path(), "p/SKILL.md", "---\nname: p\ndescription: P.\n---\nP.\n");
    notifier.changed();
    assert_eq!(raw.next().await.expect("a message")["method"], "notifications/prompts/list_changed");
    raw.line(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#).await;
    let ping = format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{{{META}}}}}"#);
    raw.line(ping.replace('\n', " ").as_bytes()).await;
    assert_eq!(raw.next().await.expect("an answer")["id"], 2, "no other message is sent");
}

mod http {
    use rmcp::transport::StreamableHttpClientTransport;
    use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
    use skills_mcp::Guard;

    use super::*;

    // SPEC 1.6, 11.4
    #[tokio::test]
    async fn each_session_is_notified() {
        let (root, notifier) = (skills(), Notifier::default());
        let bound = skills_mcp::bind(([127, 0, 0, 1], 0).into()).await.expect("a free port");
        let address = bound.address().expect("an address");
        let serving = tokio::spawn(bound.run(live(root.path(), &notifier).routes(), Guard::new()));
        drop(rustls::crypto::ring::default_provider().install_default());
        let connect = async || {
            let config = StreamableHttpClientTransportConfig::with_uri(format!("http://{address}/mcp"));
            let listening = Listening::default();
            let transport = StreamableHttpClientTransport::from_config(config);
            let client = listening.clone().serve(transport).await.expect("a session");
            (client, listening)
        };
        let first = connect().await;
        let second = connect().await;
        second.0.subscribe(SubscribeRequestParams::new("skill://a/notes.md")).await.expect("subscribed");
        add_tool(root.path());
        notifier.changed();
        assert_eq!(first.1.take(2).await, ["tools", "resources"]);
        assert_eq!(second.1.take(2).await, ["tools", "resources"]);
        write(root.path(), "a/notes.md", "two\n");
        notifier.changed();
        assert_eq!(second.1.take(2).await, ["resources", "skill://a/notes.md"]);
        assert_eq!(first.1.take(1).await, ["resources"]);
        assert_eq!(first.0.list_all_tools().await.expect("tools").len(), 2, "and `load_skill`");
        serving.abort();
    }
}
