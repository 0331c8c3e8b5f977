//! Servers over HTTP that forget sessions, and that end their streams of events at once.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{Value, json};
use skills_mcp_client::{Approved, Call, Connection, Error, Exhausted, Limits, Options, ServerAddress};

use crate::support::until;

/// A server of the revision 2025-11-25 with sessions and one tool, whose description has the number of the session.
#[derive(Clone)]
struct Peer {
    url: String,
    /// The answer to a request for a stream of events, if the server has such streams.
    stream: Option<&'static str>,
    /// The answer to a request for the list of tools, or for a stream of events, which the server sends without end.
    flood: Option<Flood>,
    state: Arc<Mutex<State>>,
    /// The bytes of the flood that were sent, and whether the client has closed its connection.
    sent: Arc<AtomicU64>,
    is_closed: Arc<AtomicBool>,
}

/// A head, and the text that follows it again and again.
#[derive(Clone, Copy)]
struct Flood {
    /// The method of the request that it answers: `post` or `get`.
    method: &'static str,
    head: &'static str,
    text: &'static str,
}

#[derive(Default)]
struct State {
    session: usize,
    /// How often each method of MCP or of HTTP was received.
    counts: BTreeMap<String, usize>,
}

impl Peer {
    fn start(stream: Option<&'static str>) -> Self {
        Self::flooding(stream, None)
    }

    fn flooding(stream: Option<&'static str>, flood: Option<Flood>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
        let (sent, is_closed) = (Arc::default(), Arc::default());
        let peer = Self { url, stream, flood, state: Arc::default(), sent, is_closed };
        let serving = peer.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let peer = serving.clone();
                std::thread::spawn(move || peer.serve(stream));
            }
        });
        peer
    }

    fn connection(&self) -> Connection {
        self.connection_with(Limits::default())
    }

    fn connection_with(&self, limits: Limits) -> Connection {
        let address = ServerAddress::parse(&self.url).expect("a URL");
        Connection::new(Approved::typed(address), Options::default().limits(limits))
    }

    /// Sends the flood until the client closes the connection.
    fn send_flood(&self, mut stream: &TcpStream, flood: Flood) -> Option<()> {
        stream.write_all(format!("HTTP/1.1 200 OK\r\n{}\r\n\r\n", flood.head).as_bytes()).ok()?;
        let text = flood.text.repeat(100);
        while stream.write_all(text.as_bytes()).is_ok() {
            self.sent.fetch_add(text.len() as u64, Ordering::Relaxed);
        }
        self.is_closed.store(true, Ordering::Relaxed);
        None
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, method: &str) -> usize {
        self.state().counts.get(method).copied().unwrap_or_default()
    }

    /// Answers the requests of one connection.
    fn serve(&self, stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        loop {
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                if reader.read_line(&mut head).ok()? == 0 {
                    return None;
                }
            }
            let head = head.to_ascii_lowercase();
            let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            let mut body =
                vec![0; field("content-length:").map_or(0, |length| length.parse().expect("a length"))];
            reader.read_exact(&mut body).ok()?;
            let session = field("mcp-session-id:").and_then(|id| id.parse().ok());
            let method = head.split(' ').next().unwrap_or_default();
            if let Some(flood) = self.flood.filter(|flood| flood.method == method)
                && (method == "get" || String::from_utf8_lossy(&body).contains("tools/list"))
            {
                return self.send_flood(&stream, flood);
            }
            let answer = match head.split(' ').next() {
                Some("post") => self.post(&serde_json::from_slice(&body).ok()?, session),
                Some("get") => {
                    *self.state().counts.entry("GET".to_owned()).or_default() += 1;
                    match self.stream {
                        // The connection ends with it.
                        Some(stream_) => return (&stream).write_all(stream_.as_bytes()).ok(),
                        None => response("405 Method Not Allowed", ""),
                    }
                }
                _ => response("200 OK", ""),
            };
            (&stream).write_all(answer.as_bytes()).ok()?;
        }
    }

    fn post(&self, message: &Value, session: Option<usize>) -> String {
        let method = message["method"].as_str().unwrap_or_default();
        let mut state = self.state();
        *state.counts.entry(method.to_owned()).or_default() += 1;
        let mut extra = String::new();
        let result = match method {
            "initialize" => {
                state.session += 1;
                extra = format!("Mcp-Session-Id: {}\r\n", state.session);
                json!({
                    "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                    "serverInfo": {"name": "peer", "version": "1"},
                })
            }
            "server/discover" => return response("400 Bad Request", ""),
            _ if session != Some(state.session) => return response("404 Not Found", ""),
            _ if message["id"].is_null() => return response("202 Accepted", ""),
            "tools/list" => json!({"tools": [{
                "name": "greet", "description": format!("Session {}.", state.session), "inputSchema": {"type": "object"},
            }]}),
            _ => json!({"content": []}),
        };
        let body = json!({"jsonrpc": "2.0", "id": message["id"], "result": result}).to_string();
        response(&format!("200 OK\r\n{extra}Content-Type: application/json"), &body)
    }
}

fn response(head: &str, body: &str) -> String {
    let head = head.replace("\r\n\r\n", "\r\n");
    format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

// SPEC 22.3, 6.15: a call is not sent again in another session, in which the tool may be another one
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_the_server_forgot_ends() {
    let peer = Peer::start(None);
    let connection = peer.connection();
    let changes = connection.changes();
    let described =
        |tools: Vec<skills_mcp_client::model::Tool>| tools[0].description.clone().expect("one").into_owned();
    assert_eq!(described(connection.tools().await.expect("tools")), "Session 1.");
    let before = changes.borrow().tools;
    peer.state().session += 1;
    let error = connection.call("greet", Default::default(), &Call::default()).await.expect_err("it is over");
    assert!(matches!(error, Error::Closed(_)), "{error:?}");
    assert_eq!((peer.count("tools/call"), peer.count("initialize")), (1, 1));
    assert_eq!(described(connection.tools().await.expect("tools")), "Session 3.");
    assert!(changes.borrow().tools > before, "all lists may have changed");
    assert_eq!(peer.count("initialize"), 2);
}

// SPEC 6.15, 22.7: a server of the revision 2025-11-25 reports changes in a stream of the session
#[tokio::test(flavor = "multi_thread")]
async fn changes_of_lists_are_reported() {
    let peer = Peer::start(Some(concat!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n",
        "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n",
    )));
    let connection = peer.connection();
    let changes = connection.changes();
    connection.tools().await.expect("tools");
    until("the change is reported", || changes.borrow().tools > 0).await;
}

// SPEC 22.3: a server that ends its streams is not asked as fast as it answers
#[tokio::test(flavor = "multi_thread")]
async fn streams_of_events_are_opened_again_with_pauses() {
    const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n";
    for rest in [
        "Connection: close\r\n\r\nretry: 0\nid: 1\ndata: \n\n",
        "Content-Length: 900\r\n\r\nid: 1\ndata: \n\n",
    ] {
        let peer = Peer::start(Some(format!("{HEAD}{rest}").leak()));
        let connection = peer.connection();
        let begin = Instant::now();
        connection.tools().await.expect("tools");
        until("the stream is opened again", || peer.count("GET") > 16).await;
        // Each request of the client allows 16 streams at once.
        let (opened, most) =
            (peer.count("GET"), 3 * 16 + 1 + usize::try_from(begin.elapsed().as_secs()).expect("few"));
        assert!(opened <= most, "{opened} streams, at most {most}");
        connection.tools().await.expect("the session is still usable");
    }
}

const EVENTS: &str = "Content-Type: text/event-stream";

/// Texts that a server sends without end: comments, fields without data, and chunks of one byte.
const FLOODS: [(&str, &str); 9] = [
    (EVENTS, ":\n"),
    (EVENTS, ": a comment that nobody reads\n\n"),
    (EVENTS, "id: 1\n\n"),
    (EVENTS, "event: message\n\n"),
    (EVENTS, "retry: 1000000\n\n"),
    (EVENTS, "\n"),
    (EVENTS, "\r\n"),
    ("Content-Type: text/event-stream\r\nTransfer-Encoding: chunked", "1\r\n:\r\n"),
    ("Content-Type: application/json", " "),
];

/// Much less than the default, so that the test is short.
fn small() -> Limits {
    let mut limits = Limits::default();
    (limits.budget.bytes, limits.budget.messages) = (1 << 20, u64::MAX);
    limits
}

// SPEC 22.2: every byte of an answer counts, not only the data of events
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_end_uses_up_the_budget() {
    for (head, text) in FLOODS {
        let peer = Peer::flooding(None, Some(Flood { method: "post", head, text }));
        let error = peer.connection_with(small()).tools().await.expect_err("it has no end");
        assert_eq!(error, Error::Budget(Exhausted::Bytes(1 << 20)), "{text:?}");
        until("the connection is closed", || peer.is_closed.load(Ordering::Relaxed)).await;
        // What the buffers of the system hold was sent as well.
        let sent = peer.sent.load(Ordering::Relaxed);
        assert!(sent < 64 << 20, "{sent} bytes of {text:?}");
    }
}

// SPEC 22.2: so does every byte of a stream that no request waits for
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_events_without_end_uses_up_the_budget() {
    for (head, text) in FLOODS.into_iter().filter(|(head, _)| head.contains("event-stream")) {
        let peer = Peer::flooding(None, Some(Flood { method: "get", head, text }));
        let connection = peer.connection_with(small());
        // The session may end before or after the list is complete.
        drop(connection.tools().await);
        until("the connection is closed", || peer.is_closed.load(Ordering::Relaxed)).await;
        let sent = peer.sent.load(Ordering::Relaxed);
        assert!(sent < 64 << 20, "{sent} bytes of {text:?}");
    }
}

// SPEC 22.2: an event or an answer that is too long is refused before it is complete
#[tokio::test(flavor = "multi_thread")]
async fn a_long_message_over_http_is_refused_before_it_is_stored() {
    for (head, text) in
        [(EVENTS, "data: xxxxxxxxxxxx\n"), (EVENTS, "x"), ("Content-Type: application/json", " ")]
    {
        let peer = Peer::flooding(None, Some(Flood { method: "post", head, text }));
        let mut limits = small();
        (limits.message, limits.budget.bytes) = (1 << 20, 1 << 30);
        let error = peer.connection_with(limits).tools().await.expect_err("it has no end");
        assert_eq!(error, Error::TooLarge(1 << 20), "{text:?}");
    }
}
