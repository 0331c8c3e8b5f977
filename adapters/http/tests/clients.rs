//! Clients that go, dawdle, send too much or nonsense (SPEC 11.2, 12.1, 12.3).
#![allow(clippy::panic, reason = "a test that waits in vain must fail")]
#![cfg(unix)]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use skills_http::{Api, Guard};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

mod support;
use support::{is_alive, request, runner, send, serve, skills, until};

// SPEC 11.2
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_is_gone_when_its_client_is() {
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
    let file = workspace.path().join("pid");
    let pid = until("the program starts", || {
        // The line is whole when it has its end.
        std::fs::read_to_string(&file).ok()?.strip_suffix('\n').map(str::to_owned)
    })
    .await;
    assert!(is_alive(&pid));
    drop(stream);
    until("the program ends", || (!is_alive(&pid)).then_some(())).await;
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

/// A generator that is the same each time (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(below).expect("small")).expect("small")
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }
}

const METHODS: [&str; 7] = ["GET", "POST", "PUT", "HEAD", "OPTIONS", "\u{1f980}", "POST"];
const NAMES: [&str; 14] = [
    "echo",
    "typed",
    "double",
    "chain",
    "prose",
    "secret",
    "none",
    "..%2f..%2f..%2fetc%2fpasswd",
    "../../../../etc/passwd",
    "%00",
    "%",
    "%c3%28",
    "lost",
    "skills.json",
];
const BODIES: [&str; 14] = [
    "",
    "{",
    "null",
    "[]",
    "\"\\ud800\"",
    r#"{"input": "x"}"#,
    r#"{"input": {"a": 1}}"#,
    r#"{"input": {"n": 1}}"#,
    r#"{"input": [[[[[[]]]]]], "timeout": 1e999}"#,
    r#"{"timeout": -1}"#,
    r#"{"timeout": "99999999999999999999h"}"#,
    r#"{"messages": [{"role": "user", "parts": [{"type": "text"}]}]}"#,
    "\u{feff}{}",
    r#"{"input": {"n": 1, "n": 2}}"#,
];

// SPEC 12.1, 12.3, 11.2: every request gets a whole answer, whose text names nothing outside the skills.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_requests_get_answers_and_nothing_else() {
    let root = skills();
    let serving = serve(Api::new(runner(root.path())).enable_exec(), Guard::new()).await;
    let count = std::env::var("SKILLS_HTTP_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(600);
    let mut dice = Dice(0x5eed_1234_abcd_0001);
    // A panic ends one connection and no more, so it would not show.
    let panics = Arc::new(AtomicUsize::new(0));
    let (counted, told) = (Arc::clone(&panics), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        counted.fetch_add(1, Ordering::SeqCst);
        told(panic);
    }));
    for at in 0..count {
        let end = ["/exec", "/call", "", "/exec/", "?a=%00", "/../exec"];
        let path = match dice.roll(8) {
            0 => "/api/ai/chat".to_owned(),
            1 => "/v1/openapi.json".to_owned(),
            _ => format!("/v1/skills/{}{}", dice.one(&NAMES), dice.one(&end)),
        };
        let body = dice.one(&BODIES);
        let mut text = format!(
            "{} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
            dice.one(&METHODS),
            serving.address,
            if dice.roll(20) == 0 { body.len() + 9 } else { body.len() },
        )
        .into_bytes();
        if dice.roll(4) == 0 {
            let at = dice.roll(text.len());
            text[at] = u8::try_from(dice.roll(256)).expect("a byte");
        }
        // A body that is announced and never comes is cut by the client's end here.
        let answer =
            tokio::time::timeout(Duration::from_secs(40), send_and_close(serving.address, &text)).await;
        let answer =
            answer.unwrap_or_else(|_| panic!("request {at} hangs: {}", String::from_utf8_lossy(&text)));
        assert!(!answer.body.contains("root:"), "request {at}: {}", answer.body);
        assert_no_foreign_path(&answer.body, root.path());
    }
    let still = request(serving.address, "GET", "/v1/skills", "").await;
    assert_eq!(still.status, 200, "it still serves");
    assert_eq!(panics.load(Ordering::SeqCst), 0);
}

async fn send_and_close(address: std::net::SocketAddr, bytes: &[u8]) -> support::Answer {
    use tokio::io::AsyncReadExt;
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    drop(stream.write_all(bytes).await);
    drop(stream.shutdown().await);
    let mut read = Vec::new();
    drop(stream.read_to_end(&mut read).await);
    let text = String::from_utf8_lossy(&read).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    support::Answer { status: 0, head: head.to_owned(), body: body.to_owned() }
}

/// Paths in answers are below the root of the skills.
fn assert_no_foreign_path(body: &str, root: &Path) {
    let rest = body.replace(&root.display().to_string(), "");
    for foreign in ["/etc/", "/home/", "/root/", "/usr/"] {
        assert!(!rest.contains(foreign), "{body}");
    }
}
