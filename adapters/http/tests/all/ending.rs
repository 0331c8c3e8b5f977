//! Tests servers that shut down at a signal, with clients connected (SPEC 11.7).
#![cfg(unix)]

use std::time::{Duration, Instant};

use skills_http::{Api, Guard, bind};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use crate::support::{Answer, gone, runner, skills, started, write};

/// Runs a program for this many seconds, and shuts down the server with this grace meanwhile. Returns the
/// response to the program's client, the duration of the shutdown, and the process id of the program.
async fn end(seconds: &str, grace: Option<Duration>) -> (Answer, Duration, String) {
    let (root, workspace) = (skills(), tempfile::tempdir().expect("a directory"));
    let program = format!("#!/bin/sh\necho $$ > \"$SKILL_WORKSPACE/pid\"\nsleep {seconds}\necho done\n");
    write(root.path(), &[("slow/bin/slow", &program)]);
    let api = Api::new(runner(root.path())).enable_exec().workspace(workspace.path());
    let (stop, stopped) = oneshot::channel::<()>();
    let server =
        bind(([127, 0, 0, 1], 0).into()).await.expect("a free port").until(async { drop(stopped.await) });
    let server = match grace {
        Some(time) => server.grace(time),
        None => server,
    };
    let address = server.address().expect("an address");
    let serving = tokio::spawn(server.run(api.routes(), Guard::new()));
    let mut idle = TcpStream::connect(address).await.expect("it listens");
    let head = format!("HTTP/1.1\r\nhost: {address}\r\ncontent-length: 0\r\n\r\n");
    idle.write_all(format!("GET /v1/skills/prose {head}").as_bytes()).await.expect("it reads");
    let mut buffer = [0; 4096];
    assert!(idle.read(&mut buffer).await.expect("an answer") > 0, "the connection is kept");
    let mut busy = TcpStream::connect(address).await.expect("it listens");
    busy.write_all(format!("POST /v1/skills/slow/exec {head}").as_bytes()).await.expect("it reads");
    let pid = started(workspace.path()).await;
    let begun = Instant::now();
    stop.send(()).expect("the server waits for it");
    serving.await.expect("it ends");
    let took = begun.elapsed();
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens any more");
    let mut read = Vec::new();
    drop(busy.read_to_end(&mut read).await);
    (Answer::parse(&read), took, pid)
}

// SPEC 11.7
#[tokio::test]
async fn running_work_is_finished_within_the_grace_period() {
    let (answer, took, _) = end("1", None).await;
    assert_eq!((answer.status, &answer.json()["stdout"]), (200, &serde_json::json!("done\n")));
    assert!(took < Duration::from_secs(5), "{took:?}");
}

// SPEC 11.7
#[tokio::test]
async fn longer_work_is_dropped_with_its_processes() {
    for grace in [Duration::ZERO, Duration::from_millis(300)] {
        let (answer, took, pid) = end("60", Some(grace)).await;
        assert_eq!(answer.status, 0, "{answer:?}");
        assert!(took < grace + Duration::from_secs(2), "{took:?}");
        gone(&pid).await;
    }
}
