//! Clients that send nonsense: no panic, no hang, and the next request is answered (SPEC 12.1, 12.3).
#![cfg(unix)]
#![allow(clippy::panic, reason = "a test that cannot go on must fail")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

mod support;
use support::Shop;

/// A client that writes what it is told.
struct Raw {
    read: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
}

impl Raw {
    fn new(shop: &Shop) -> Self {
        let (near, far) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(far);
        tokio::spawn(skills_mcp::serve(shop.server(), read, write));
        let (read, write) = tokio::io::split(near);
        Self { read: BufReader::new(read).lines(), write }
    }

    async fn line(&mut self, bytes: &[u8]) {
        self.write.write_all(bytes).await.expect("it reads");
        self.write.write_all(b"\n").await.expect("it reads");
    }

    /// Sends a request and waits for its answer, whatever else comes before.
    async fn ask(&mut self, id: &str, method: &str, params: Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.line(request.to_string().as_bytes()).await;
        while let Some(line) = self.read.next_line().await.expect("text") {
            let answer: Value = serde_json::from_str(&line).expect("JSON, whatever was sent");
            if answer["id"] == id {
                return answer;
            }
        }
        panic!("the server has gone");
    }

    async fn begin(&mut self) {
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {},
                            "clientInfo": {"name": "raw", "version": "1"}});
        let answer = self.ask("begin", "initialize", params).await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
        self.line(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    }
}

const GARBAGE: [&[u8]; 16] = [
    b"",
    b"garbage",
    b"{",
    b"[]",
    b"null",
    b"42",
    b"\xff\xfe\x00",
    b"\x00",
    b"{}",
    br#"{"jsonrpc":"2.0"}"#,
    br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
    br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
    br#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#,
    br#"{"jsonrpc":"2.0","method":"notifications/nothing","params":[]}"#,
    br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
];

// SPEC 12.1
#[tokio::test]
async fn garbage_before_and_after_the_beginning_is_passed_over() {
    let shop = Shop::new();
    let mut raw = Raw::new(&shop);
    for line in GARBAGE {
        raw.line(line).await;
    }
    raw.begin().await;
    for line in GARBAGE {
        raw.line(line).await;
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    raw.line(deep.as_bytes()).await;
    let answer = raw.ask("last", "ping", json!({})).await;
    assert_eq!(answer["result"], json!({}));
}

// SPEC 12.1
#[tokio::test]
async fn a_huge_message_is_dropped_and_the_next_is_answered() {
    let shop = Shop::new();
    let mut raw = Raw::new(&shop);
    raw.begin().await;
    raw.write.write_all(br#"{"jsonrpc":"2.0","id":1,"method":""#).await.expect("it reads");
    let part = vec![b'x'; 1 << 20];
    for _ in 0..20 {
        raw.write.write_all(&part).await.expect("it reads");
    }
    raw.line(br#""}"#).await;
    assert_eq!(raw.ask("last", "ping", json!({})).await["result"], json!({}));
}

// SPEC 12.1
#[tokio::test]
async fn unknown_methods_and_wrong_parameters_are_errors() {
    let shop = Shop::new();
    let mut raw = Raw::new(&shop);
    raw.begin().await;
    for method in
        ["nothing", "tools/run", "", "skills/delete", "tasks/get", "logging/setLevel", "resources/subscribe"]
    {
        let params = json!({"uri": "skill://prose/SKILL.md", "taskId": "1", "level": "info"});
        let answer = raw.ask(method, method, params).await;
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
    }
    for (method, params) in [
        ("skills/get", json!({"uri": "skill://prose"})),
        ("skills/get", json!({"uri": ""})),
        ("prompts/get", json!({"name": ""})),
        ("resources/directory/read", json!({"uri": "skill://prose", "cursor": "\u{0}"})),
    ] {
        let answer = raw.ask("x", method, params).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}

/// A generator of small numbers; the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % sides
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }

    fn value(&mut self, depth: usize) -> Value {
        const TEXTS: [&str; 12] = [
            "double",
            "prose",
            "secret",
            "skill://prose/SKILL.md",
            "skill://prose/..%2f..%2fetc/passwd",
            "../..",
            "\u{0}",
            "é\u{202e}",
            "",
            "skill://",
            "[\"a\",\"b\"]",
            "%",
        ];
        match self.roll(if depth == 0 { 6 } else { 8 }) {
            0 => Value::Null,
            1 => json!(self.roll(2) == 0),
            2 => json!(i64::try_from(self.roll(5)).unwrap_or(0) - 2),
            3 => json!(1e300),
            4 | 5 => json!(*self.pick(&TEXTS)),
            6 => (0..self.roll(4)).map(|_| self.value(depth - 1)).collect(),
            _ => Value::Object(self.members(depth - 1)),
        }
    }

    fn members(&mut self, depth: usize) -> serde_json::Map<String, Value> {
        const KEYS: [&str; 10] =
            ["name", "uri", "arguments", "cursor", "n", "_meta", "progressToken", "list", "source", "x"];
        (0..self.roll(5)).map(|_| ((*self.pick(&KEYS)).to_owned(), self.value(depth))).collect()
    }
}

// SPEC 12.1, 12.3
#[tokio::test]
async fn a_thousand_random_requests_do_no_harm() {
    let panics = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&panics);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        counter.fetch_add(1, Ordering::Relaxed);
        before(info);
    }));
    const METHODS: [&str; 14] = [
        "tools/call",
        "tools/call",
        "tools/list",
        "prompts/list",
        "prompts/get",
        "resources/list",
        "resources/read",
        "resources/directory/read",
        "resources/templates/list",
        "skills/list",
        "skills/get",
        "completion/complete",
        "initialize",
        "nothing",
    ];
    let shop = Shop::new();
    std::fs::remove_dir_all(shop.root.path().join("slow")).expect("a directory");
    let mut raw = Raw::new(&shop);
    raw.begin().await;
    let mut dice = Dice(11);
    for round in 0..100 {
        for _ in 0..10 {
            let method = *dice.pick(&METHODS);
            let mut request = json!({"jsonrpc": "2.0", "id": dice.roll(1_000), "method": method});
            request["params"] = match dice.roll(8) {
                0 => dice.value(2),
                _ => Value::Object(dice.members(2)),
            };
            let mut text = request.to_string().into_bytes();
            if dice.roll(5) == 0 {
                let at = dice.roll(text.len());
                text[at] = b"\"{}[],:\x00\xffx"[dice.roll(10)];
            }
            raw.line(&text).await;
        }
        // An answer to a request after them says that the server has read them all.
        let id = format!("round {round}");
        let answer = raw.ask(&id, "ping", json!({})).await;
        assert_eq!(answer["result"], json!({}));
    }
    assert_eq!(panics.load(Ordering::Relaxed), 0);
}
