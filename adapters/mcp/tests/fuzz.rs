//! Fuzzes the server with hostile messages, on streams and over HTTP: no panic, no hang, nothing from outside
//! the skills, and valid requests are answered afterwards (SPEC 8.2, 12.1, 12.3).
//!
//! `SKILLS_MCP_FUZZ=10000 cargo test -p skills-bundle-mcp --test fuzz -- --nocapture` runs longer; the number
//! is the count of messages, and of requests. The generator is deterministic.
#![cfg(unix)]
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

use std::collections::{BTreeMap, HashSet};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use skills_mcp::{Guard, Notifier, Server};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

mod support;
use support::rng::{META, OPENING, Rng};
use support::{Shop, runner};

/// The maximum time for an answer, far above the actual times.
const LIMIT: Duration = Duration::from_secs(60);

/// A text that is not in any file a client may see.
const HIDDEN: &str = "SENTINEL";

fn count() -> usize {
    std::env::var("SKILLS_MCP_FUZZ")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or_else(|| test_bed::rounds(200))
}

fn shop() -> Shop {
    let shop = Shop::new();
    std::fs::remove_dir_all(shop.root.path().join("slow")).expect("a directory");
    let hidden = ["outside.md", "secret/file.md", "inner/file.md", "secret/more.md"];
    hidden.iter().for_each(|path| std::fs::write(shop.root.path().join(path), HIDDEN).expect("a file"));
    shop
}

/// Counts panics anywhere in the process.
fn panics() -> &'static AtomicUsize {
    static PANICS: AtomicUsize = AtomicUsize::new(0);
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            PANICS.fetch_add(1, Ordering::Relaxed);
            before(info);
        }));
    });
    &PANICS
}

fn check_answer(answer: &str) {
    assert!(!answer.contains(HIDDEN) && !answer.contains("root:x:0"), "from outside: {answer}");
}

/// A part of the answer to a valid request.
const GOOD: &str = "\"name\":\"double\"";

fn good(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"tools/list","params":{{{META}}}}}"#)
}

// SPEC 8.2, 12.1, 12.3
#[tokio::test]
async fn hostile_messages_on_a_stream_do_no_harm() {
    let panics = panics();
    let shop = shop();
    let mut rng = Rng(11);
    let notifier = Notifier::default();
    let path = shop.root.path().to_owned();
    let live = Server::live(move || Ok(runner(&path))).notifier(&notifier).workspace(shop.workspace.path());
    let (mut sent, mut tracked, mut codes) = (0, 0, BTreeMap::<i64, usize>::new());
    for session in 0.. {
        if sent >= count() {
            break;
        }
        let server = if session % 2 == 0 { shop.server() } else { live.clone() };
        let (near, far) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(far);
        let serving = tokio::spawn(skills_mcp::serve(server, read, write));
        let (read, mut write) = tokio::io::split(near);
        // Answers are read at the same time, since a client that does not read gets no more answers.
        let answered = Arc::new(Mutex::new(HashSet::new()));
        let (responses, all) = (Arc::new(Mutex::new(BTreeMap::<i64, usize>::new())), Arc::clone(&answered));
        let tally = Arc::clone(&responses);
        let reading = tokio::spawn(async move {
            let mut lines = BufReader::new(read).lines();
            while let Some(line) = lines.next_line().await.expect("text") {
                check_answer(&line);
                let answer: Value = serde_json::from_str(&line).expect("JSON, whatever was sent");
                assert_eq!(answer["jsonrpc"], "2.0");
                if let Some(code) = answer["error"]["code"].as_i64() {
                    *tally.lock().expect("no panic").entry(code).or_default() += 1;
                }
                if let Some(id) = answer["id"].as_str() {
                    let is_good = line.contains(GOOD) || id != "good";
                    assert!(is_good, "{line}");
                    assert!(
                        all.lock().expect("no panic").insert(id.to_owned()) || !id.starts_with("track"),
                        "twice: {line}"
                    );
                }
            }
        });
        let mut expected = Vec::new();
        // Some messages are sent before the session starts.
        let begins = rng.below(20);
        for at in 0..50 {
            let (mut line, is_tracked) = if at == begins {
                (OPENING.as_bytes().to_vec(), false)
            } else {
                rng.message(sent, at > begins)
            };
            if is_tracked {
                expected.push(format!("track {sent}"));
            }
            line.push(b'\n');
            timeout(LIMIT, write.write_all(&line)).await.expect("no hang").expect("it reads");
            if rng.below(20) == 0 {
                notifier.changed();
            }
            sent += 1;
        }
        expected.push("good".to_owned());
        write.write_all(format!("{}\n", good("good")).as_bytes()).await.expect("it reads");
        let missing = || {
            let answered = answered.lock().expect("no panic");
            expected.iter().filter(|id| !answered.contains(*id)).cloned().collect::<Vec<_>>()
        };
        for _ in 0..1_200 {
            if missing().is_empty() || reading.is_finished() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        if reading.is_finished() {
            reading.await.expect("no panic");
            panic!("the session has ended");
        }
        assert_eq!(missing(), [""; 0], "never answered");
        tracked += expected.len();
        write.shutdown().await.expect("closed");
        timeout(LIMIT, serving).await.expect("no hang").expect("no panic").expect("an orderly end");
        reading.await.expect("no panic");
        responses
            .lock()
            .expect("no panic")
            .iter()
            .for_each(|(code, n)| *codes.entry(*code).or_default() += n);
    }
    assert_eq!(panics.load(Ordering::Relaxed), 0);
    println!("{sent} messages, {tracked} owed and had an answer, errors by code: {codes:?}");
}

/// Sends bytes and reads the response. For a stream that continues, returns nothing.
async fn exchange(address: SocketAddr, bytes: &[u8], is_whole: bool) -> String {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    // A server that has refused the request may have closed the connection.
    drop(stream.write_all(bytes).await);
    if !is_whole {
        drop(stream.shutdown().await);
    }
    let mut read = Vec::new();
    let mut buffer = [0; 1 << 14];
    let mut length = None;
    loop {
        match timeout(LIMIT, stream.read(&mut buffer)).await {
            Ok(Ok(count @ 1..)) => read.extend_from_slice(buffer.get(..count).expect("what was read")),
            Ok(_) => break,
            Err(_) => panic!("no answer to {}", String::from_utf8_lossy(bytes.get(..600).unwrap_or(bytes))),
        }
        let text = String::from_utf8_lossy(&read);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            length = length.or_else(|| {
                let head = head.to_ascii_lowercase();
                head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok())
            });
            let is_stream = head.contains("text/event-stream");
            let is_listening = bytes.starts_with(b"GET") || body.contains("subscriptions/acknowledged");
            if (is_stream && is_listening) || length.is_some_and(|length| body.len() >= length) {
                break;
            }
        }
    }
    let answer = String::from_utf8_lossy(&read).into_owned();
    check_answer(&answer);
    answer
}

fn post(address: SocketAddr, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\naccept: \
         application/json, text/event-stream\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn session(answer: &str) -> Option<String> {
    answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).map(str::to_owned)
}

// SPEC 8.2, 11.2, 12.1, 12.3
#[tokio::test]
async fn hostile_requests_do_no_harm() {
    let panics = panics();
    let shop = shop();
    let bound = skills_mcp::bind(([127, 0, 0, 1], 0).into()).await.expect("a free port");
    let address = bound.address().expect("an address");
    let notifier = Notifier::default();
    let path = shop.root.path().to_owned();
    let live = Server::live(move || Ok(runner(&path))).notifier(&notifier).workspace(shop.workspace.path());
    let serving = tokio::spawn(bound.run(live.routes(), Guard::new()));
    let mut rng = Rng(13);
    let mut sessions: Vec<String> = Vec::new();
    let mut codes = BTreeMap::<String, usize>::new();
    for round in 0..count() {
        if round.is_multiple_of(50) {
            let begun = exchange(address, &post(address, "", OPENING), true).await;
            sessions.push(session(&begun).expect("a session"));
            notifier.changed();
        }
        let (bytes, is_whole) = rng.request(address, round, &sessions);
        let answer = exchange(address, &bytes, is_whole).await;
        let code = answer.get(9..12).unwrap_or("none").to_owned();
        // A truncated body is answered with 500.
        let is_fault = code.starts_with('5') && code != "503" && is_whole;
        assert!(!is_fault, "{answer}\n{}", String::from_utf8_lossy(&bytes));
        assert!(!is_whole || code != "none", "no answer to {}", String::from_utf8_lossy(&bytes));
        *codes.entry(code).or_default() += 1;
        sessions.extend(session(&answer));
        if sessions.len() > 100 {
            for id in sessions.drain(..) {
                let end = format!(
                    "DELETE /mcp HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\nmcp-session-id: {id}\r\n\r\n"
                );
                exchange(address, end.as_bytes(), true).await;
            }
        }
        if round % 10 == 9 {
            let headers = "mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/list\r\n";
            let answer = exchange(address, &post(address, headers, &good("good")), true).await;
            assert!(answer.contains(GOOD), "{answer}");
        }
    }
    assert!(!serving.is_finished(), "the server has ended");
    serving.abort();
    assert_eq!(panics.load(Ordering::Relaxed), 0);
    println!("{} requests, by status: {codes:?}", count());
}
