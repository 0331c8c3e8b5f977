//! Tests slow clients: each connection ends, and those of others continue (SPEC 11.2).

use std::time::Duration;

use skills_http::{Api, Guard};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{request, runner, serve_with, skills};

const SHORT: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_secs(600);

/// Sends the beginning of a request, and then single bytes slowly, until the server closes the connection.
/// Returns the response.
async fn dawdle(address: std::net::SocketAddr, text: &str) -> String {
    let (mut reader, mut writer) = TcpStream::connect(address).await.expect("it listens").into_split();
    writer.write_all(text.as_bytes()).await.expect("it reads");
    let drip = tokio::spawn(async move {
        while writer.write_all(b"x").await.is_ok() {
            tokio::time::sleep(SHORT / 5).await;
        }
    });
    let mut read = Vec::new();
    // Prevents the test from waiting forever.
    let ended = tokio::time::timeout(Duration::from_secs(60), reader.read_to_end(&mut read)).await;
    drip.abort();
    assert!(ended.is_ok(), "the connection stays open");
    String::from_utf8_lossy(&read).into_owned()
}

// SPEC 11.2
#[tokio::test]
async fn a_slow_body_ends_its_connection() {
    let root = skills();
    let api = Api::new(runner(root.path())).enable_exec().body_time(SHORT);
    let serving = serve_with(api, Guard::new(), |server| server.head_time(LONG)).await;
    for length in ["content-length: 100000", "transfer-encoding: chunked\r\nx: "] {
        for path in ["/v1/skills/echo/exec", "/v1/skills/double/call"] {
            let head = format!("POST {path} HTTP/1.1\r\nhost: {}\r\n{length}\r\n\r\n", serving.address);
            let body = if length.starts_with('c') { "{" } else { "ffffff\r\n{" };
            let response = dawdle(serving.address, &format!("{head}{body}")).await;
            assert!(response.starts_with("HTTP/1.1 408 "), "{path} {length}: {response}");
            assert!(response.ends_with(r#"{"error":"timeout"}"#), "{path} {length}: {response}");
        }
    }
}

// SPEC 11.2
#[tokio::test]
async fn a_slow_head_ends_its_connection() {
    let root = skills();
    let api = Api::new(runner(root.path())).body_time(LONG);
    let serving = serve_with(api, Guard::new(), |server| server.head_time(SHORT)).await;
    for text in ["", "GET /v1/ski", "GET /v1/skills HTTP/1.1\r\nhost: "] {
        let response = dawdle(serving.address, text).await;
        assert!(!response.starts_with("HTTP/1.1 2"), "{text}: {response}");
    }
    // An idle connection after a response is closed as well.
    let mut stream = TcpStream::connect(serving.address).await.expect("it listens");
    let text = format!("GET /v1/skills/none HTTP/1.1\r\nhost: {}\r\n\r\n", serving.address);
    stream.write_all(text.as_bytes()).await.expect("it reads");
    let mut read = String::new();
    let ended = tokio::time::timeout(Duration::from_secs(60), stream.read_to_string(&mut read)).await;
    assert!(ended.is_ok() && read.starts_with("HTTP/1.1 404 "), "{read}");
}

// SPEC 11.2
#[tokio::test]
async fn connections_beyond_the_limit_wait_for_those_that_end() {
    let root = skills();
    let api = Api::new(runner(root.path()));
    let serving = serve_with(api, Guard::new(), |server| server.connections(2).head_time(LONG)).await;
    let open = async || {
        let mut stream = TcpStream::connect(serving.address).await.expect("it listens");
        let text = format!("GET /v1/skills/none HTTP/1.1\r\nhost: {}\r\n\r\n", serving.address);
        stream.write_all(text.as_bytes()).await.expect("it reads");
        let mut byte = [0];
        stream.read_exact(&mut byte).await.map(|_| stream).expect("an answer")
    };
    let held = (open().await, open().await);
    let mut third = Box::pin(request(serving.address, "GET", "/v1/skills", ""));
    assert!(tokio::time::timeout(Duration::from_millis(300), &mut third).await.is_err(), "it is answered");
    drop(held);
    assert_eq!(third.await.status, 200);
}
