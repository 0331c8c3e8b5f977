//! Tests clients that disconnect, or send too much (SPEC 11.2).
#![cfg(unix)]

use skills_http::{Api, Guard};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::support::{gone, request, runner, send, serve, skills, started};

// SPEC 11.2
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_ends_with_its_client() {
    let root = skills();
    let workspace = tempfile::tempdir().expect("a directory");
    let api = Api::new(runner(root.path())).enable_exec().workspace(workspace.path());
    let serving = serve(api, Guard::new()).await;
    let mut stream = TcpStream::connect(serving.address).await.expect("it listens");
    let text = format!(
        "POST /v1/skills/slow/exec HTTP/1.1\r\nhost: {}\r\ncontent-length: 0\r\n\r\n",
        serving.address
    );
    stream.write_all(text.as_bytes()).await.expect("it reads");
    let pid = started(workspace.path()).await;
    drop(stream);
    gone(&pid).await;
}

// SPEC 11.2
#[tokio::test]
async fn a_body_has_a_limit_whether_announced_or_not() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())).enable_exec().body_limit(100), Guard::new()).await;
    let long = format!("{{\"input\": \"{}\"}}", "x".repeat(200));
    let answer = request(serving.address, "POST", "/v1/skills/echo/exec", &long).await;
    assert_eq!((answer.status, answer.json()["error"].as_str()), (413, Some("too_large")));
    let chunk = "x".repeat(80);
    let chunked = format!(
        "POST /v1/skills/echo/exec HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n\
         50\r\n{chunk}\r\n50\r\n{chunk}\r\n0\r\n\r\n",
        serving.address
    );
    assert_eq!(send(serving.address, chunked.as_bytes()).await.status, 413);
}
