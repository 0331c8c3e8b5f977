//! Tests streamable HTTP: rmcp's client, the guard, and clients that disconnect (SPEC 11.2, 11.4).
#![cfg(unix)]
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

use std::net::SocketAddr;
use std::time::Duration;

use axum::extract::State;
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequest, ClientRequest, GetSkillRequestParams};
use rmcp::service::PeerRequestOptions;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::json;
use skills_mcp::{Budget, Guard, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use crate::support::{Client, Shop, arguments, call, is_alive, refusal, until};

/// A server that is shut down at the end of the test.
struct Serving {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn listen(server: Server, guard: Guard) -> Serving {
    let bound = skills_mcp::bind(([127, 0, 0, 1], 0).into()).await.expect("a free port");
    let address = bound.address().expect("an address");
    Serving { address, task: tokio::spawn(bound.run(server.routes(), guard)) }
}

async fn connect(address: SocketAddr, token: Option<&str>) -> Result<Client, String> {
    // Installing a second provider fails, which is fine: another crate of the build may have installed one.
    drop(rustls::crypto::ring::default_provider().install_default());
    let mut config = StreamableHttpClientTransportConfig::with_uri(format!("http://{address}/mcp"));
    if let Some(token) = token {
        config = config.auth_header(token);
    }
    let transport = StreamableHttpClientTransport::from_config(config);
    ().serve(transport).await.map_err(|error| error.to_string())
}

/// Sends bytes and reads until the server closes the connection or has sent `enough`.
async fn send(address: SocketAddr, text: &str, enough: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    drop(stream.write_all(text.as_bytes()).await);
    let mut read = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut buffer).await {
        read.extend_from_slice(&buffer[..count]);
        if !enough.is_empty() && String::from_utf8_lossy(&read).contains(enough) {
            break;
        }
    }
    String::from_utf8_lossy(&read).into_owned()
}

fn post(address: SocketAddr, headers: &str, body: &str) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",
    "capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}"#;

// SPEC 11.4
#[tokio::test]
async fn a_client_lists_and_calls() {
    let shop = Shop::new();
    let serving = listen(shop.server(), Guard::new()).await;
    let client = connect(serving.address, None).await.expect("a session");
    let tools = client.list_all_tools().await.expect("tools");
    assert_eq!(tools.len(), 5);
    let result = call(&client, "double", 2).await.expect("an answer");
    assert_eq!(result.structured_content, Some(json!({"said": "twice"})));
    let wrong = client.call_tool(arguments("double", json!({}))).await.expect("a result");
    assert_eq!(wrong.is_error, Some(true));
    assert_eq!(refusal(call(&client, "secret", 1).await), (-32602, "unknown tool: secret".to_owned()));
    let skill =
        client.get_skill(GetSkillRequestParams::new("skill://prose/SKILL.md")).await.expect("a skill");
    assert_eq!(skill.skill.name(), "prose");
    let second = connect(serving.address, None).await.expect("another session");
    assert_eq!(second.list_all_skills().await.expect("skills").len(), 6);
}

// SPEC 11.2, 11.4
#[tokio::test]
async fn the_route_is_merged_into_a_router_with_a_state() {
    let shop = Shop::new();
    let own = axum::Router::new()
        .route("/health", axum::routing::get(async |State(health): State<&'static str>| health));
    let app = own.merge(shop.server().routes()).with_state("well");
    let bound = skills_mcp::bind(([127, 0, 0, 1], 0).into()).await.expect("a free port");
    let address = bound.address().expect("an address");
    let serving = Serving { address, task: tokio::spawn(bound.run(app, Guard::new())) };
    let client = connect(serving.address, None).await.expect("a session");
    assert_eq!(client.list_all_tools().await.expect("tools").len(), 5);
    let health = format!("GET /health HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    assert!(send(address, &health, "").await.ends_with("well"));
}

// SPEC 11.2, 11.4
#[tokio::test]
async fn the_guard_protects_the_server() {
    let shop = Shop::new();
    let serving = listen(shop.server(), Guard::new().token("s3cret")).await;
    assert!(connect(serving.address, None).await.is_err());
    assert!(connect(serving.address, Some("wrong")).await.is_err());
    let client = connect(serving.address, Some("s3cret")).await.expect("a session");
    assert_eq!(client.list_all_prompts().await.expect("prompts").len(), 6);
    let foreign =
        post(serving.address, "authorization: Bearer s3cret\r\norigin: https://evil.example\r\n", "{}");
    assert!(send(serving.address, &foreign, "").await.starts_with("HTTP/1.1 403"));
    let rebound = foreign.replace(&format!("host: {}", serving.address), "host: evil.example");
    assert!(send(serving.address, &rebound, "").await.starts_with("HTTP/1.1 403"));
}

// SPEC 6.4, 11.4
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_cancelled_call_ends_with_its_processes() {
    let shop = Shop::new();
    let serving = listen(shop.server(), Guard::new()).await;
    let client = connect(serving.address, None).await.expect("a session");
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(arguments("slow", json!({"n": 1}))));
    let handle =
        client.send_cancellable_request(request, PeerRequestOptions::no_options()).await.expect("sent");
    let pid = shop.pid().await;
    handle.cancel(None).await.expect("sent");
    until("the program is gone", || !is_alive(&pid)).await;
    assert!(call(&client, "double", 1).await.is_ok(), "the session goes on");
}

/// Sends a request of a session, and returns the answer.
async fn ask(address: SocketAddr, session: &str, body: &str) -> String {
    let headers = format!("mcp-session-id: {session}\r\nmcp-protocol-version: 2025-06-18\r\n");
    send(address, &post(address, &headers, body), "").await
}

// SPEC 11.7: messages and answers share one budget; memory is released when the client has received an answer.
#[tokio::test]
async fn messages_and_answers_share_a_budget() {
    let shop = Shop::new();
    let budget = Budget::new(1 << 20);
    let serving = listen(shop.server().budget(budget.clone()), Guard::new()).await;
    let begun = send(serving.address, &post(serving.address, "", INITIALIZE), "").await;
    let session = begun.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect("a session");
    // Every two bytes are a value, which takes 160 bytes: together more than the budget.
    let body =
        format!(r#"{{"jsonrpc":"2.0","id":2,"method":"ping","params":{{"a":[{}1]}}}}"#, "1,".repeat(10_000));
    let refused = ask(serving.address, session, &body).await;
    assert!(refused.starts_with("HTTP/1.1 413") && refused.contains("too_large"), "{refused}");
    // As many bytes of text fit into the budget, unless other requests use it.
    let body =
        format!(r#"{{"jsonrpc":"2.0","id":2,"method":"ping","params":{{"a":"{}"}}}}"#, "1,".repeat(10_000));
    let other = budget.share();
    assert!(other.grow(1_000_000));
    let refused = ask(serving.address, session, &body).await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: 1"), "{refused}");
    drop(other);
    assert!(ask(serving.address, session, &body).await.contains(r#""result""#));
    // An answer for which there is no room is refused.
    let list = r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#;
    let other = budget.share();
    assert!(other.grow((1 << 20) - budget.used() - 1_500));
    let refused = ask(serving.address, session, list).await;
    assert!(refused.contains("-32000") && refused.contains("the server is busy"), "{refused}");
    drop(other);
    assert!(ask(serving.address, session, list).await.contains("double"));
}

// SPEC 11.2: an idle session keeps its answers for a while, and then releases their memory
#[tokio::test]
#[ignore = "takes 13 seconds"]
async fn an_idle_session_releases_its_answers() {
    let shop = Shop::new();
    let budget = Budget::new(1 << 20);
    let serving = listen(shop.server().budget(budget.clone()), Guard::new()).await;
    let begun = send(serving.address, &post(serving.address, "", INITIALIZE), "").await;
    let session = begun.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect("a session");
    let list = r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#;
    assert!(ask(serving.address, session, list).await.contains("double"));
    assert!(budget.used() > 0);
    until("all is returned", || budget.used() == 0).await;
}

// SPEC 11.2, 11.4
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_call_in_a_session_ends_some_time_after_its_client() {
    let shop = Shop::new();
    let serving = listen(shop.server().reconnect_time(Duration::from_millis(100)), Guard::new()).await;
    let begun = send(serving.address, &post(serving.address, "", INITIALIZE), "serverInfo").await;
    let session = begun
        .lines()
        .find_map(|line| line.strip_prefix("mcp-session-id: "))
        .unwrap_or_else(|| panic!("a session: {begun}"));
    let headers = format!("mcp-session-id: {session}\r\nmcp-protocol-version: 2025-06-18\r\n");
    let body =
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","arguments":{"n":1}}}"#;
    let mut stream = TcpStream::connect(serving.address).await.expect("it listens");
    stream.write_all(post(serving.address, &headers, body).as_bytes()).await.expect("sent");
    let pid = shop.pid().await;
    assert!(is_alive(&pid));
    drop(stream);
    until("the program is gone", || !is_alive(&pid)).await;
}

// SPEC 11.7: an endless call delays another client only for a moment.
#[tokio::test]
async fn a_call_beyond_the_limit_is_refused() {
    let shop = Shop::new();
    let serving = listen(shop.server().concurrency(1), Guard::new()).await;
    let first = connect(serving.address, None).await.expect("a session");
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(arguments("slow", json!({"n": 1}))));
    let running =
        first.send_cancellable_request(request, PeerRequestOptions::no_options()).await.expect("sent");
    shop.pid().await;
    let second = connect(serving.address, None).await.expect("a session");
    let message = refusal(second.call_tool(arguments("double", json!({"n": 1}))).await);
    assert_eq!(message, (-32000, "the server is busy; call it again later".to_owned()));
    running.cancel(None).await.expect("sent");
    let mut last = call(&second, "double", 1).await;
    for _ in 0..30 {
        if last.is_ok() {
            break;
        }
        last = call(&second, "double", 1).await;
    }
    assert!(last.is_ok(), "{last:?}");
}

// SPEC 11.2, 11.4
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_call_without_a_session_ends_with_its_connection() {
    let shop = Shop::new();
    let serving = listen(shop.server(), Guard::new()).await;
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "slow", "arguments": {"n": 1}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}}}});
    let headers = "mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: slow\r\n";
    let mut stream = TcpStream::connect(serving.address).await.expect("it listens");
    stream.write_all(post(serving.address, headers, &body.to_string()).as_bytes()).await.expect("sent");
    let pid = shop.pid().await;
    drop(stream);
    until("the program is gone", || !is_alive(&pid)).await;
}

// SPEC 11.2, 11.4
#[cfg(target_os = "linux")]
#[tokio::test]
async fn calls_end_with_the_server() {
    let shop = Shop::new();
    let serving = listen(shop.server(), Guard::new()).await;
    let client = connect(serving.address, None).await.expect("a session");
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(arguments("slow", json!({"n": 1}))));
    let handle =
        client.send_cancellable_request(request, PeerRequestOptions::no_options()).await.expect("sent");
    let pid = shop.pid().await;
    drop(serving);
    until("the program is gone", || !is_alive(&pid)).await;
    drop(handle);
}

// SPEC 12.1
#[tokio::test]
async fn nonsense_is_refused_and_the_server_continues() {
    let shop = Shop::new();
    let serving = listen(shop.server(), Guard::new()).await;
    let address = serving.address;
    let huge = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{}\"}}", "x".repeat(5 << 20));
    for body in
        ["", "{", "null", "[]", "{}", "\u{0}", r#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"#, &huge]
    {
        let answer = send(address, &post(address, "", body), "").await;
        // A server that refuses a huge body may close before all of it is sent.
        assert!(answer.starts_with("HTTP/1.1 4") || (body.len() > 4096 && answer.is_empty()), "{answer}");
    }
    for session in ["", "x", "../..", "00000000-0000-0000-0000-000000000000"] {
        let headers = format!("mcp-session-id: {session}\r\n");
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
        let answer = send(address, &post(address, &headers, body), "").await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
    }
    for method in ["GET", "DELETE", "PUT", "OPTIONS", "PATCH"] {
        let text = post(address, "", "").replacen("POST", method, 1);
        assert!(send(address, &text, "").await.starts_with("HTTP/1.1 4"), "{method}");
    }
    let client = connect(address, None).await.expect("a session");
    assert!(call(&client, "double", 1).await.is_ok());
}

// SPEC 11.7: an id has one answer at a time in a session, and a second `initialize` is refused
#[cfg(target_os = "linux")]
#[tokio::test]
async fn requests_with_the_same_id_are_distinguished() {
    let shop = Shop::new();
    let serving = listen(shop.server(), Guard::new()).await;
    let address = serving.address;
    let begun = send(address, &post(address, "", INITIALIZE), "serverInfo").await;
    let session = begun.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect("a session");
    let headers = format!("mcp-session-id: {session}\r\nmcp-protocol-version: 2025-06-18\r\n");
    let slow = post(
        address,
        &headers,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","arguments":{"n":1}}}"#,
    );
    let first = tokio::spawn(async move { send(address, &slow, r#""id":2"#).await });
    let pid = shop.pid().await;
    let list =
        |id| post(address, &headers, &format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#));
    let second = send(address, &list(2), r#""id":2"#).await;
    assert!(second.contains("-32600") && second.contains("no answer yet"), "{second}");
    let again = send(address, &post(address, &headers, INITIALIZE), r#""id":1"#).await;
    assert!(again.contains("-32600") && again.contains("begun already"), "{again}");
    assert!(send(address, &list(3), r#""id":3"#).await.contains("\"tools\""), "the session goes on");
    // The program ends, and the first request is answered.
    std::process::Command::new("kill").args(["-9", &pid]).status().expect("a signal");
    assert!(first.await.expect("an answer").contains(r#""isError":true"#));
    assert!(send(address, &list(2), r#""id":2"#).await.contains("\"tools\""), "the id is free again");
}

/// Begins a session from an address of this machine, and says that its client is ready when `is_ready`; returns its headers.
async fn begin(address: SocketAddr, from: [u8; 4], is_ready: bool) -> String {
    let begun = send_from(address, from, &post(address, "", INITIALIZE)).await;
    let id = begun.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
    let headers = format!("mcp-session-id: {}\r\nmcp-protocol-version: 2025-06-18\r\n", id.expect(&begun));
    if is_ready {
        let answer = post(address, &headers, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        assert!(send_from(address, from, &answer).await.starts_with("HTTP/1.1 202"));
    }
    headers
}

async fn send_from(address: SocketAddr, from: [u8; 4], text: &str) -> String {
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    socket.bind((from, 0).into()).expect("an address of this machine");
    let mut stream = socket.connect(address).await.expect("it listens");
    stream.write_all(text.as_bytes()).await.expect("it reads");
    let mut read = String::new();
    stream.read_to_string(&mut read).await.expect("it answers");
    read
}

/// Asks for the tools in a session; returns the status.
async fn status(address: SocketAddr, headers: &str) -> String {
    let list = post(address, headers, r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
    send(address, &list, "").await.chars().skip(9).take(3).collect()
}

const HERE: [u8; 4] = [127, 0, 0, 1];

// SPEC 11.7: clients that only begin sessions end each other's sessions, and block nobody
#[tokio::test]
async fn unused_sessions_are_replaced() {
    let shop = Shop::new();
    let serving = listen(shop.server(), Guard::new()).await;
    let address = serving.address;
    let open = connect(address, None).await.expect("a session with a connection");
    let quiet = begin(address, HERE, true).await;
    let first = begin(address, HERE, false).await;
    let mut last = String::new();
    for _ in 0..1_000 {
        last = begin(address, HERE, false).await;
    }
    assert_eq!(status(address, &first).await, "404", "the oldest has made room");
    assert_eq!(status(address, &quiet).await, "200", "one whose client is ready stays longer");
    assert_eq!(status(address, &last).await, "200");
    assert!(!open.list_all_tools().await.expect("tools").is_empty());
    assert!(connect(address, None).await.is_ok(), "another client is let in");
}

// SPEC 11.7: the address with the most sessions loses one first
#[cfg(target_os = "linux")] // where the whole of 127.0.0.0/8 is this machine
#[tokio::test]
async fn one_address_does_not_take_the_sessions_of_others() {
    let shop = Shop::new();
    let serving = listen(shop.server(), Guard::new()).await;
    let address = serving.address;
    let other = begin(address, [127, 0, 0, 2], false).await;
    let first = begin(address, HERE, true).await;
    for _ in 0..1_000 {
        begin(address, HERE, true).await;
    }
    assert_eq!(status(address, &first).await, "404");
    assert_eq!(status(address, &other).await, "200");
}
