//! Tests clients that never read, disappear, or open thousands of connections: nothing must remain of their
//! work (SPEC 11.2).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::{gone, request, runner, serve_with, skills, started, until};
use futures_util::stream;
use skills_call::BoxFuture;
use skills_call::model::{Answer, BoxStream, Delta, Finish, LanguageModel, ModelError, Request, Usage};
use skills_call::testing::ScriptedModel;
use skills_http::{Api, Guard};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const SHORT: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_secs(600);
const CHAT: &str =
    r#"{"messages": [{"id": "1", "role": "user", "parts": [{"type": "text", "text": "go"}]}]}"#;

/// A model that answers forever, or is silent for a while and then answers; it counts its active requests.
#[derive(Clone, Default)]
struct Talker {
    listeners: Arc<AtomicUsize>,
    deltas: Arc<AtomicUsize>,
    silence: Option<Duration>,
}

/// An active request, until this is dropped.
struct Listener(Arc<AtomicUsize>);

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl LanguageModel for Talker {
    fn name(&self) -> &str {
        "talker"
    }

    fn complete<'a>(&'a self, _: &'a Request) -> BoxFuture<'a, Result<Answer, ModelError>> {
        Box::pin(std::future::pending())
    }

    fn stream<'a>(&'a self, _: &'a Request) -> BoxStream<'a, Result<Delta, ModelError>> {
        self.listeners.fetch_add(1, Ordering::SeqCst);
        let listener = Listener(Arc::clone(&self.listeners));
        Box::pin(stream::unfold((listener, 0), async move |(listener, count)| {
            let Some(silence) = self.silence else {
                self.deltas.fetch_add(1, Ordering::SeqCst);
                return Some((Ok(Delta::Text("blah ".repeat(10_000))), (listener, 0)));
            };
            tokio::time::sleep(silence).await;
            let delta = match count {
                0 => Delta::Text("at last".to_owned()),
                1 => Delta::End { finish: Finish::Stop, usage: Usage::default() },
                _ => return None,
            };
            Some((Ok(delta), (listener, count + 1)))
        }))
    }
}

/// Sends a request and reads nothing.
async fn ask(address: std::net::SocketAddr, path: &str, body: &str, more: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    let length = body.len();
    let head = format!("POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all(format!("{head}{body}{more}").as_bytes()).await.expect("it reads");
    stream
}

// SPEC 11.2, 11.3
#[tokio::test]
async fn a_model_is_not_asked_for_a_client_that_reads_nothing() {
    let root = skills();
    let model = Talker::default();
    let api = Api::new(runner(root.path()).model(model.clone()));
    let serving = serve_with(api, Guard::new(), |server| server.head_time(LONG).write_time(SHORT)).await;
    let unread = ask(serving.address, "/api/ai/chat", CHAT, "").await;
    let listeners = || model.listeners.load(Ordering::SeqCst);
    let begun = || (model.deltas.load(Ordering::SeqCst) > 0).then_some(());
    until("the model is asked", begun).await;
    until("the model is left alone", || (listeners() == 0).then_some(())).await;
    drop(unread);
}

// SPEC 11.3: a client that has nothing to read is not cut off.
#[tokio::test]
async fn a_silent_stream_is_not_cut() {
    let root = skills();
    let model = Talker { silence: Some(SHORT * 5), ..Talker::default() };
    let api = Api::new(runner(root.path()).model(model));
    let limit = Duration::from_millis(10);
    let serving = serve_with(api, Guard::new(), |server| server.head_time(LONG).write_time(limit)).await;
    let answer = request(serving.address, "POST", "/api/ai/chat", CHAT).await;
    assert!(answer.body.contains("at last") && answer.body.ends_with("data: [DONE]\n\n"), "{}", answer.body);
}

// SPEC 11.2: the end of a client is detected although its second request waits to be read.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_ends_with_a_client_that_had_sent_more() {
    let root = skills();
    let workspace = tempfile::tempdir().expect("a directory");
    let api = Api::new(runner(root.path())).enable_exec().workspace(workspace.path());
    let serving = serve_with(api, Guard::new(), |server| server).await;
    let stream = ask(serving.address, "/v1/skills/slow/exec", "", "GET /v1/skills HTTP/1.1\r\n").await;
    let pid = started(workspace.path()).await;
    drop(stream);
    gone(&pid).await;
}

// SPEC 11.2: a client that sends everything before it reads gets the refusal.
#[tokio::test]
async fn a_refusal_is_delivered() {
    let root = skills();
    let api = Api::new(runner(root.path())).enable_exec().body_limit(100);
    let serving = serve_with(api, Guard::new(), |server| server).await;
    let body = "x".repeat(20 << 20);
    for (path, status) in [("/v1/skills/echo/exec", 413), ("/api/ai/chat", 503), ("/v1/none", 404)] {
        let answer = request(serving.address, "POST", path, &body).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.json()["error"].is_string(), "{path}");
    }
}

/// Counts the statuses of answers, by their order.
fn count(statuses: &[u16]) -> Vec<(u16, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    statuses.iter().for_each(|status| *counts.entry(*status).or_insert(0) += 1);
    counts.into_iter().collect()
}

// SPEC 11.7: programs that run for a day do not delay the answers to others.
#[tokio::test]
async fn many_long_runs_do_not_delay_other_answers() {
    let root = skills();
    let workspace = tempfile::tempdir().expect("a directory");
    let chatting = ScriptedModel::default().tool_call("a", "double", r#"{"n": 4}"#).text("done");
    let api = Api::new(runner(root.path()).model(chatting)).enable_exec().workspace(workspace.path());
    let api = api.concurrency(4).queue(16).queue_time(SHORT);
    let serving = serve_with(api, Guard::new(), |server| server).await;
    let address = serving.address;
    let run = move |limit: &str| {
        let body = format!(r#"{{"timeout": "{limit}"}}"#);
        tokio::spawn(async move { request(address, "POST", "/v1/skills/slow/exec", &body).await.status })
    };
    let long: Vec<_> = (0..80).map(|_| run("23h")).collect();
    let ended = || long.iter().filter(|run| run.is_finished()).count();
    // All requests beyond the running ones are refused, since no running one ends.
    until("76 of 80 are refused", || (ended() == 76).then_some(())).await;
    let mut statuses = Vec::new();
    for limit in ["25h", "99999999h", "99999999999999999999999999999h", "-1s"] {
        let far: Vec<_> = (0..10).map(|_| run(limit)).collect();
        for run in far {
            statuses.push(run.await.expect("an answer"));
        }
    }
    assert_eq!(count(&statuses), [(400, 40)]);
    for (method, path, body, status) in [
        ("GET", "/v1/skills", "", 200),
        ("POST", "/v1/skills/echo/exec", "", 503),
        ("POST", "/v1/skills/double/call", r#"{"input": {"n": 1}}"#, 503),
        ("POST", "/v1/skills/none/exec", "", 404),
    ] {
        let answer = request(address, method, path, body).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.body);
    }
    let chat = request(address, "POST", "/api/ai/chat", CHAT).await;
    assert!(
        chat.body.contains("the server is busy") && chat.body.ends_with("data: [DONE]\n\n"),
        "{}",
        chat.body
    );
    let (ended, running): (Vec<_>, Vec<_>) = long.into_iter().partition(|run| run.is_finished());
    let mut statuses = Vec::new();
    for run in ended {
        statuses.push(run.await.expect("an answer"));
    }
    assert_eq!(count(&statuses), [(503, 76)]);
    assert_eq!(running.len(), 4);
    running.iter().for_each(|run| run.abort());
    // The places are free again when the programs have ended.
    let mut last = 503;
    for _ in 0..600 {
        last = request(address, "POST", "/v1/skills/echo/exec", "").await.status;
        if last == 200 {
            break;
        }
    }
    assert_eq!(last, 200);
}

/// How many files this process may open.
fn files() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(256)
}

// SPEC 11.2: thousands of connections, where the system allows them.
#[tokio::test]
async fn idle_connections_are_closed_for_new_ones() {
    let root = skills();
    let api = Api::new(runner(root.path()));
    let serving = serve_with(api, Guard::new(), |server| server.connections(256).head_time(SHORT)).await;
    let count = files().saturating_sub(800).min(test_bed::rounds(1_000));
    let mut idle = Vec::new();
    for _ in 0..count {
        idle.push(TcpStream::connect(serving.address).await.expect("it listens"));
    }
    assert_eq!(request(serving.address, "GET", "/v1/skills", "").await.status, 200);
    // Each connection was closed.
    for mut stream in idle {
        let mut byte = [0];
        let read = tokio::time::timeout(Duration::from_secs(60), stream.read(&mut byte)).await;
        assert!(matches!(read, Ok(Ok(0) | Err(_))), "{read:?}");
    }
}
