//! Generates hostile messages and requests, reproducibly.

#![allow(clippy::explicit_auto_deref, reason = "the type is not inferred without")]

use std::net::SocketAddr;

use serde_json::{Map, Value, json};

/// The metadata of a request that needs no session.
pub(crate) const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

/// The start of a session.
pub(crate) const OPENING: &str = r#"{"jsonrpc":"2.0","id":"opening","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}"#;

const METHODS: [&str; 22] = [
    "tools/call",
    "tools/call",
    "tools/call",
    "tools/list",
    "prompts/list",
    "prompts/get",
    "prompts/get",
    "resources/list",
    "resources/read",
    "resources/read",
    "resources/read",
    "resources/directory/read",
    "resources/templates/list",
    "resources/subscribe",
    "resources/unsubscribe",
    "skills/list",
    "skills/get",
    "completion/complete",
    "server/discover",
    "ping",
    "logging/setLevel",
    "nothing",
];

const NAMES: [&str; 12] = [
    "double",
    "chain",
    "fails",
    "prose",
    "move",
    "secret",
    "inner",
    "hidden",
    "nothing",
    "",
    "../prose",
    "dou\u{0}ble",
];

const PATHS: [&str; 22] = [
    "SKILL.md",
    "notes.md",
    "assets/a%20b.bin",
    "file.md",
    "more.md",
    "../outside.md",
    "..%2foutside.md",
    "..%2Foutside.md",
    "%2e%2e/outside.md",
    "%2E%2E/outside.md",
    "..\\outside.md",
    "..%5Coutside.md",
    "assets/../../outside.md",
    "../secret/file.md",
    "%00",
    "SKILL.md%00",
    "/etc/passwd",
    "%2Fetc%2Fpasswd",
    "//etc/passwd",
    "../../../../../../etc/passwd",
    "",
    "\u{202e}é",
];

const VERSIONS: [&str; 6] = ["2024-11-05", "2025-06-18", "2026-07-28", "1999-01-01", "9999-99-99", ""];

/// A pseudo-random generator.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % end
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    fn mostly<'a>(&mut self, good: &'a str, bad: &[&'a str]) -> &'a str {
        if self.below(12) == 0 { self.pick::<&str>(bad) } else { good }
    }

    fn uri(&mut self) -> String {
        let (name, path) = (*self.pick(&NAMES), *self.pick(&PATHS));
        match self.below(12) {
            0 => path.to_owned(),
            1 => format!("file://{path}"),
            2 => format!("skill:///{path}"),
            3 => format!("SKILL://{name}/{path}"),
            4 => format!("skill://{name}"),
            _ => format!("skill://{name}/{path}"),
        }
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 8 } else { 10 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(i64::try_from(self.below(5)).unwrap_or(0) - 2),
            3 => json!(1e300),
            4 => json!(*self.pick(&NAMES)),
            5 => json!(self.uri()),
            6 => json!(u64::MAX),
            7 => json!("x".repeat(self.below(2_000))),
            8 => (0..self.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => Value::Object(self.members(depth - 1)),
        }
    }

    fn members(&mut self, depth: usize) -> Map<String, Value> {
        const KEYS: [&str; 12] = [
            "name",
            "uri",
            "arguments",
            "cursor",
            "n",
            "_meta",
            "progressToken",
            "list",
            "source",
            "ref",
            "requestId",
            "x",
        ];
        (0..self.below(5)).map(|_| ((*self.pick(&KEYS)).to_owned(), self.value(depth))).collect()
    }

    /// Returns parameters of a valid form with arbitrary values, or anything else.
    fn params(&mut self) -> Map<String, Value> {
        let mut params = match self.below(4) {
            0 => return self.members(3),
            1 => Map::new(),
            _ => Map::from_iter([
                ("uri".to_owned(), json!(self.uri())),
                ("name".to_owned(), json!(*self.pick(&NAMES))),
            ]),
        };
        let arguments = match self.below(6) {
            0 => json!({"n": 1, "list": [1, 2]}),
            1 => json!({"n": 1}),
            2 => Value::Object(self.members(4)),
            3 => json!({"source": "$target `id` $(id)", "target": "'\"\\"}),
            4 => (0..100).fold(json!(1), |value, _| json!({"n": value})),
            _ => json!({"arguments": "x".repeat(self.below(100_000))}),
        };
        params.insert("arguments".to_owned(), arguments);
        if self.below(6) == 0 {
            let cursor =
                *self.pick(&["", "x", "[]", "[\"\u{0}\",\"\"]", "[\"z\",\"z\"]", "[\"a\",\"b\",\"c\"]"]);
            params.insert("cursor".to_owned(), json!(cursor));
        }
        match self.below(8) {
            0 => drop(params.insert("_meta".to_owned(), json!({"progressToken": self.value(1)}))),
            1 => {
                let meta = json!({"io.modelcontextprotocol/protocolVersion": *self.pick(&VERSIONS),
                                  "io.modelcontextprotocol/clientCapabilities": {}});
                params.insert("_meta".to_owned(), meta);
            }
            _ => {}
        }
        params
    }

    /// Returns a message, and whether it is a request that must be answered, in which case its `id` is
    /// `track` and the number.
    pub(crate) fn message(&mut self, number: usize, has_begun: bool) -> (Vec<u8>, bool) {
        let id = self.below(8);
        let mut text = match self.below(16) {
            0 => {
                let method = *self.pick(&[
                    "notifications/cancelled",
                    "notifications/progress",
                    "notifications/initialized",
                    "notifications/x",
                ]);
                let mut params = self.members(2);
                params.insert(
                    "requestId".to_owned(),
                    [json!(id), json!("none"), Value::Null, json!({})][self.below(4)].clone(),
                );
                json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string()
            }
            1 => OPENING
                .replace("2025-06-18", *self.pick(&VERSIONS))
                .replace("opening", &format!("again {number}")),
            2 => json!([{"jsonrpc": "2.0", "id": id, "method": "ping"}, self.value(2)]).to_string(),
            3 => json!({"jsonrpc": "2.0", "id": id, "result": self.value(2)}).to_string(),
            4 => {
                let depth = [50, 120, 200, 100_000][self.below(4)];
                let (open, close) = [("[", "]"), ("{\"n\":", "}")][self.below(2)];
                let value = format!("{}1{}", open.repeat(depth), close.repeat(depth));
                format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"double","arguments":{{"n":{value}}}}}}}"#
                )
            }
            5 => {
                let ids = [
                    json!(id),
                    json!(""),
                    json!(-1),
                    json!(1.5),
                    json!(u64::MAX),
                    Value::Null,
                    json!([]),
                    json!("\u{0}"),
                ];
                json!({"jsonrpc": "2.0", "id": self.pick(&ids), "method": *self.pick(&METHODS), "params": self.value(3)}).to_string()
            }
            6 => {
                let mut text = json!({"jsonrpc": "2.0", "id": id, "method": *self.pick(&METHODS), "params": self.params()}).to_string().into_bytes();
                for _ in 0..=self.below(3) {
                    let at = self.below(text.len());
                    text[at] = b"\"{}[],:\x00\xffx\n\r\\"[self.below(13)];
                }
                return (text, false);
            }
            7 if number.is_multiple_of(97) => format!(
                r#"{{"jsonrpc":"2.0","id":"track {number}","method":"tools/call","params":{{"name":"double","arguments":{{"x":"{}"}}}}}}"#,
                "x".repeat(1 << 20)
            ),
            8 => {
                return (
                    (0..self.below(200)).map(|_| u8::try_from(self.below(256)).unwrap_or(0)).collect(),
                    false,
                );
            }
            _ => {
                let request = json!({"jsonrpc": "2.0", "id": format!("track {number}"), "method": *self.pick(&METHODS), "params": self.params()});
                return (request.to_string().into_bytes(), true);
            }
        };
        // A subscription is not answered until it ends, and one is enough.
        if has_begun && self.below(200) == 0 {
            text = format!(
                r#"{{"jsonrpc":"2.0","id":"listen","method":"subscriptions/listen","params":{{"notifications":{{"toolsListChanged":true}},{META}}}}}"#
            );
        }
        let is_tracked = text.contains("\"track ");
        (text.into_bytes(), is_tracked)
    }

    /// Returns a request, and whether it is complete.
    pub(crate) fn request(
        &mut self,
        address: SocketAddr,
        number: usize,
        sessions: &[String],
    ) -> (Vec<u8>, bool) {
        let (body, _) = self.message(number, true);
        let method = self.mostly("POST", &["GET", "DELETE", "PUT", "OPTIONS"]);
        let path = self.mostly("/mcp", &["/mcp/", "/mcp?x=../..", "/", "/mcp/../etc/passwd", "//mcp", "*"]);
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        let mut add = |name: &str, value: &str| head.push_str(&format!("{name}: {value}\r\n"));
        let own = address.to_string();
        add("host", self.mostly(&own, &["evil.example", "[::", ""]));
        if self.below(20) == 0 {
            add("origin", *self.pick(&["https://evil.example", "null", "x"]));
        }
        add(
            "content-type",
            self.mostly("application/json", &["application/json; charset=utf-8", "text/plain", ""]),
        );
        let accept = "application/json, text/event-stream";
        add("accept", self.mostly(accept, &["text/event-stream", "*/*;q=0", "\"", ""]));
        match self.below(6) {
            0..3 if !sessions.is_empty() => add("mcp-session-id", self.pick::<String>(sessions)),
            3 if !sessions.is_empty() => add("mcp-session-id", &self.pick(sessions).to_uppercase()),
            4 => {
                let bad = ["", "../..", "x", "\u{e9}", "00000000-0000-0000-0000-000000000000"];
                add("mcp-session-id", *self.pick(&bad));
            }
            _ => {}
        }
        if self.below(5) == 0 {
            add("mcp-protocol-version", *self.pick(&VERSIONS));
            add("mcp-method", *self.pick(&METHODS));
            add("mcp-name", *self.pick(&["double", "secret", "../..", "=?base64?//8=?=", ""]));
        }
        if self.below(10) == 0 {
            add("last-event-id", *self.pick(&["0", "-1", "99999999999999999999", "1/2", "x/../y", ""]));
        }
        let mut is_whole = true;
        match self.below(12) {
            0 => {
                is_whole = false;
                add("content-length", *self.pick(&["0", "5", "99999", "-1", "18446744073709551616", "x"]));
            }
            1 => {
                is_whole = false;
                add("transfer-encoding", *self.pick(&["chunked", "gzip", "chunked, chunked"]));
            }
            _ => add("content-length", &body.len().to_string()),
        }
        let mut bytes = format!("{head}\r\n").into_bytes();
        bytes.extend_from_slice(&body);
        if self.below(10) == 0 {
            is_whole = false;
            for _ in 0..=self.below(4) {
                let at = self.below(bytes.len().min(600));
                bytes[at] = b"\r\n:/ \x00\xff9"[self.below(8)];
            }
        }
        (bytes, is_whole)
    }
}
