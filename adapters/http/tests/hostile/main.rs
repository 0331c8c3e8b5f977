//! Tests hostile requests: each gets a complete response or none, and other clients are not affected (SPEC
//! 11.2, 12.1, 12.3).
//!
//! `SKILLS_HTTP_FUZZ=10000 cargo test -p skills-http --test hostile` sends this many; `10000:7` uses another
//! seed.
#![allow(clippy::panic, reason = "a test that waits in vain must fail")]
#![cfg(unix)]

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;
use skills_call::BoxFuture;
use skills_call::model::{
    Answer as ModelAnswer, BoxStream, Delta, Finish, LanguageModel, Message, ModelError, Request, Role, Usage,
};
use skills_http::{Api, Guard};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

mod request;
#[path = "../support/mod.rs"]
mod support;

use request::Rng;
use support::{Answer, request, runner, serve_with, skills};

/// The number of concurrent clients.
const CLIENTS: usize = 8;

/// A model that calls the tool in its message: `NAME ARGUMENTS`.
struct Obedient;

impl LanguageModel for Obedient {
    fn name(&self) -> &str {
        "obedient"
    }

    fn complete<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<ModelAnswer, ModelError>> {
        Box::pin(async { Ok(ModelAnswer::new("no JSON")) })
    }

    fn stream<'a>(&'a self, request: &'a Request) -> BoxStream<'a, Result<Delta, ModelError>> {
        let last = request.messages.last().filter(|message| message.role == Role::User).map(Message::text);
        let reported = last.as_deref().and_then(|text| text.split_once(' '));
        let end = Delta::End { finish: Finish::Stop, usage: Usage::default() };
        let deltas = match reported {
            None => vec![Delta::Text("so be it".to_owned()), end],
            Some((name, arguments)) => vec![
                Delta::ToolCallStart { index: 0, id: String::new(), name: name.to_owned() },
                Delta::ToolCallArguments { index: 0, text: arguments.to_owned() },
                end,
            ],
        };
        Box::pin(futures_util::stream::iter(deltas.into_iter().map(Ok)))
    }
}

// SPEC 12.1, 12.3, 11.2
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_requests_are_answered_without_harm() {
    let root = skills();
    let api = Api::new(runner(root.path()).model(Obedient)).enable_exec().body_time(Duration::from_secs(1));
    let limit = Duration::from_secs(1);
    let serving = serve_with(api, Guard::new(), |server| server.head_time(limit)).await;
    let setting = std::env::var("SKILLS_HTTP_FUZZ").unwrap_or_else(|_| test_bed::rounds(400).to_string());
    let (count, stream) = setting.split_once(':').unwrap_or((&setting, "0"));
    let number = |text: &str| text.parse::<usize>().expect("SKILLS_HTTP_FUZZ is COUNT or COUNT:STREAM");
    let (count, stream) = (number(count), number(stream));
    // A panic ends only one connection, so it would not be noticed otherwise.
    let panics = Arc::new(AtomicUsize::new(0));
    let (counted, default_hook) = (Arc::clone(&panics), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |panic| {
        counted.fetch_add(1, Ordering::SeqCst);
        default_hook(panic);
    }));
    let clients = (0..CLIENTS).map(|client| {
        let stream = u64::try_from(stream * CLIENTS + client).expect("a number");
        let (address, root) = (serving.address, root.path().to_owned());
        tokio::spawn(async move { attack(address, &root, Rng::new(stream), count.div_ceil(CLIENTS)).await })
    });
    let mut seen: BTreeMap<u16, usize> = BTreeMap::new();
    for client in clients.collect::<Vec<_>>() {
        for (status, count) in client.await.expect("its findings are printed above") {
            *seen.entry(status).or_default() += count;
        }
    }
    let still = request(serving.address, "GET", "/v1/skills", "").await;
    assert_eq!(still.status, 200, "it still serves");
    assert_eq!(panics.load(Ordering::SeqCst), 0);
    for status in [200, 400, 403, 404, 405, 422] {
        assert!(seen.contains_key(&status), "no request got so far: {status}: {seen:?}");
    }
}

/// Sends requests one after the other. Returns how often each status was received, with 0 for no response.
async fn attack(address: SocketAddr, root: &Path, mut rng: Rng, count: usize) -> BTreeMap<u16, usize> {
    let mut seen = BTreeMap::new();
    let host = address.to_string();
    for _ in 0..count {
        let (bytes, open) = request::make(&mut rng, &host);
        let read = exchange(address, &bytes, open).await;
        let request = String::from_utf8_lossy(&bytes[..bytes.len().min(2_000)]).into_owned();
        // The rest of a modified request may be read as another request.
        let (first, mut rest) = Answer::split(&read);
        check(&first, root).unwrap_or_else(|fault| panic!("{fault}: {request:?} got {first:?}"));
        while !rest.is_empty() {
            let (next, further) = Answer::split(rest);
            check(&next, root).unwrap_or_else(|fault| panic!("{fault}: {request:?} got {first:?}, {next:?}"));
            rest = further;
        }
        *seen.entry(first.status).or_default() += 1;
        // A gated skill gets the same response as an unknown one.
        if request.contains("/secret") && !open {
            let unknown = Answer::parse(&exchange(address, &twin(&bytes), open).await);
            assert_eq!((first.status, &first.body), (unknown.status, &unknown.body), "{request:?}");
        }
    }
    seen
}

/// Returns the same request for a skill that does not exist.
fn twin(bytes: &[u8]) -> Vec<u8> {
    let mut twin = bytes.to_vec();
    let at = twin.windows(7).position(|window| window == b"/secret").expect("it is there");
    twin[at + 1..at + 7].copy_from_slice(b"absent");
    twin
}

async fn exchange(address: SocketAddr, bytes: &[u8], open: bool) -> Vec<u8> {
    let exchange = async {
        let (mut reader, mut writer) = TcpStream::connect(address).await.expect("it listens").into_split();
        let write = async {
            // A server may refuse before it has read everything.
            drop(writer.write_all(bytes).await);
            if open {
                drop(writer.shutdown().await);
            }
        };
        let mut read = Vec::new();
        let _: ((), _) = tokio::join!(write, reader.read_to_end(&mut read));
        read
    };
    let read = tokio::time::timeout(Duration::from_secs(120), exchange).await;
    read.unwrap_or_else(|_| panic!("it hangs: {:?}", String::from_utf8_lossy(bytes)))
}

/// Finds an error in a response, if there is one.
fn check(answer: &Answer, root: &Path) -> Result<(), String> {
    let Answer { status, head, body } = answer;
    if head.is_empty() {
        return Ok(());
    }
    if !head.starts_with("http/1.") {
        return Err("no answer of HTTP".to_owned());
    }
    // The paths in the response are below the root of the skills.
    let rest = body.replace(&root.display().to_string(), "");
    for foreign in
        ["/etc/", "/home/", "/root/", "/usr/", "/tmp/", "/proc/", "/var/", env!("CARGO_MANIFEST_DIR")]
    {
        if rest.contains(foreign) {
            return Err(format!("it tells {foreign}"));
        }
    }
    let is = |kind: &str| head.contains(&format!("content-type: {kind}"));
    if *status >= 400 && !body.is_empty() {
        let json: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
        // A failed program is reported in its outcome, never as an error of the server.
        let is_problem = json["error"].as_str().is_some_and(|code| code != "exec_failed");
        return if is_problem && is("application/json") {
            Ok(())
        } else {
            Err("no error in JSON".to_owned())
        };
    }
    if is("text/event-stream") {
        let frames = body.split("\n\n").filter_map(|frame| frame.strip_prefix("data: "));
        for frame in frames.filter(|frame| *frame != "[DONE]") {
            serde_json::from_str::<Value>(frame).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

// SPEC 11.2, 12.1: the server bounds every length, and keeps nothing of it.
#[tokio::test]
async fn a_hundred_megabytes_are_refused() {
    let root = skills();
    let api = Api::new(runner(root.path()).model(Obedient)).enable_exec();
    let serving = serve_with(api, Guard::new(), |server| server).await;
    let piece = vec![b'x'; 1 << 20];
    for path in ["/v1/skills/echo/exec", "/v1/skills/double/call", "/api/ai/chat"] {
        for length in ["content-length: 104857600", "transfer-encoding: chunked"] {
            let (mut reader, mut writer) =
                TcpStream::connect(serving.address).await.expect("it listens").into_split();
            let head =
                format!("POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{length}\r\n\r\n");
            let send = async {
                writer.write_all(head.as_bytes()).await?;
                for _ in 0..100 {
                    if length.starts_with('t') {
                        writer.write_all(b"100000\r\n").await?;
                        writer.write_all(&piece).await?;
                        writer.write_all(b"\r\n").await?;
                    } else {
                        writer.write_all(&piece).await?;
                    }
                }
                writer.write_all(b"0\r\n\r\n").await
            };
            let mut read = Vec::new();
            let (_, _): (std::io::Result<()>, _) = tokio::join!(send, reader.read_to_end(&mut read));
            let answer = Answer::parse(&read);
            assert_eq!(
                (answer.status, answer.json()["error"].as_str()),
                (413, Some("too_large")),
                "{path} {length}"
            );
        }
    }
    assert_eq!(request(serving.address, "GET", "/v1/skills", "").await.status, 200, "it still serves");
}
