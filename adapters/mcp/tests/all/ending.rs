//! Tests servers that shut down at a signal, with clients connected (SPEC 11.7).
#![cfg(unix)]
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

use std::time::{Duration, Instant};

use serde_json::json;
use skills_mcp::Server;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::support::{Shop, is_alive, until};

/// Returns a signal, and a function that creates futures waiting for it.
fn signal() -> (watch::Sender<bool>, impl Fn() -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>>) {
    let (stop, stopped) = watch::channel(false);
    let wait = move || -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> {
        let mut stopped = stopped.clone();
        Box::pin(async move { drop(stopped.wait_for(|stopped| *stopped).await.map(drop)) })
    };
    (stop, wait)
}

fn slow(id: u64) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "slow", "arguments": {"n": 1}}})
        .to_string()
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}"#;

// SPEC 11.7
#[tokio::test]
async fn a_stream_ends_with_its_calls() {
    for grace in [Duration::ZERO, Duration::from_millis(300)] {
        let shop = Shop::new();
        let (stop, wait) = signal();
        let (near, far) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(far);
        let server = shop.server().until(wait()).grace(grace);
        let serving = tokio::spawn(skills_mcp::serve(server, read, write));
        let (mut answers, mut requests) = tokio::io::split(near);
        let begin =
            format!("{INITIALIZE}\n{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}}\n");
        requests.write_all(format!("{begin}{}\n", slow(1)).as_bytes()).await.expect("it reads");
        let pid = shop.pid().await;
        let begun = Instant::now();
        stop.send_replace(true);
        serving.await.expect("it ends").expect("well");
        assert!(
            begun.elapsed() >= grace && begun.elapsed() < Duration::from_secs(20),
            "{:?}",
            begun.elapsed()
        );
        until("the program is gone", || !is_alive(&pid)).await;
        let mut output = String::new();
        answers.read_to_string(&mut output).await.expect("text");
        assert!(output.contains(r#""id":0"#), "{output}");
    }
}

async fn open(address: std::net::SocketAddr, request: &str) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all(request.as_bytes()).await.expect("it reads");
    let mut head = Vec::new();
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        head.push(stream.read_u8().await.expect("a head"));
    }
    (stream, String::from_utf8_lossy(&head).into_owned())
}

// SPEC 11.7: a server that waits for its connections ends although a client listens
#[tokio::test]
async fn the_server_of_a_host_ends_although_clients_listen() {
    let shop = Shop::new();
    let (stop, wait) = signal();
    let server: Server = shop.server().until(wait()).grace(Duration::from_secs(3));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let serving =
        tokio::spawn(axum::serve(listener, server.routes()).with_graceful_shutdown(wait()).into_future());
    let head = format!("host: {address}\r\naccept: application/json, text/event-stream\r\n");
    let post = |headers: &str, body: &str| {
        let length = body.len();
        format!(
            "POST /mcp HTTP/1.1\r\n{head}content-type: application/json\r\n{headers}content-length: {length}\r\n\r\n{body}"
        )
    };
    let (_begun, answer) = open(address, &post("", INITIALIZE)).await;
    let id = answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect("a session");
    let session = format!("mcp-session-id: {id}\r\nmcp-protocol-version: 2025-06-18\r\n");
    let (mut listening, answer) = open(address, &format!("GET /mcp HTTP/1.1\r\n{head}{session}\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let (_calling, answer) = open(address, &post(&session, &slow(1))).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let pid = shop.pid().await;
    let begun = Instant::now();
    stop.send_replace(true);
    let mut rest = Vec::new();
    listening.read_to_end(&mut rest).await.expect("an end");
    assert!(!serving.is_finished(), "who only listens is let go at once: {:?}", begun.elapsed());
    assert!(is_alive(&pid), "the call has its time");
    serving.await.expect("it ends").expect("well");
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    until("the program is gone", || !is_alive(&pid)).await;
}
