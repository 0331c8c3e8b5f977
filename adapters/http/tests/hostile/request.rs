//! Generates hostile requests as bytes, reproducibly from a seed.

/// A pseudo-random number generator (xorshift).
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(stream: u64) -> Self {
        Self(0x5eed_1234_abcd_0001 ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).expect("small")).expect("small")
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

const METHODS: [&str; 14] = [
    "GET",
    "GET",
    "GET",
    "POST",
    "POST",
    "POST",
    "POST",
    "HEAD",
    "PUT",
    "OPTIONS",
    "TRACE",
    "\u{1f980}",
    "get",
    "",
];
const NAMES: [&str; 24] = [
    "echo",
    "echo",
    "typed",
    "typed",
    "double",
    "double",
    "chain",
    "prose",
    "helper",
    "lost",
    "review",
    "secret",
    "secret",
    "inner",
    "%65cho",
    "..%2f..%2f..%2fetc%2fpasswd",
    "../../../../etc/passwd",
    "..%5c..%5cetc",
    "%00",
    "echo%00",
    "%",
    "%c3%28",
    "\u{ff0e}\u{ff0e}",
    "skill.json",
];
const ENDS: [&str; 8] = ["/exec", "/exec", "/call", "/call", "", "/exec/", "?a=%00&name=echo", "/../exec"];
const VALUES: [&str; 30] = [
    "",
    "{",
    "null",
    "[]",
    "{}",
    r#"{"input": "x"}"#,
    r#"{"input": "x"}"#,
    r#"{"input": {"a": 1}}"#,
    r#"{"input": {"n": 1}}"#,
    r#"{"input": {"n": 1}}"#,
    r#"{"input": {"code": "x"}}"#,
    r#"{"input": {"n": 1, "n": 2}}"#,
    r#"{"input": {"n": 1e999}}"#,
    r#"{"input": {"n": -0.0e-99999999999}}"#,
    r#"{"input": "\ud800"}"#,
    r#"{"input": "\udc00\ud800"}"#,
    r#"{"input": "\u0000"}"#,
    "{\"input\": \"\0\"}",
    r#"{"input": [[[[[[]]]]]], "timeout": 1e999}"#,
    r#"{"timeout": -1}"#,
    r#"{"timeout": {"s": 1}}"#,
    r#"{"timeout": "99999999999999999999h"}"#,
    r#"{"input": "x", "timeout": "1ns"}"#,
    "\u{feff}{}",
    r#"{"messages": []}"#,
    r#"{"messages": [{"role": "user", "parts": [{"type": "text"}]}]}"#,
    r#"{"messages": [{"role": "user", "parts": [{"type": "text", "text": "double {\"n\": 1}"}]}]}"#,
    r#"{"messages": [{"role": "user", "parts": [{"type": "text", "text": "load_skill {\"name\": \"..\"}"}]}]}"#,
    r#"{"messages": [{"role": "user", "parts": [{"type": "text", "text": "typed \ud83e\udd80"}]}]}"#,
    r#"{"messages": [{"role": "assistant", "parts": [{"type": "tool-x", "toolCallId": "", "input": null}]}]}"#,
];
const LINES: [&str; 16] = [
    "GET",
    "GET /v1/skills",
    "GET  /v1/skills HTTP/1.1",
    "GET /v1/skills HTTP/9.9",
    "GET /v1/skills HTTP/2.0",
    "GET /v1/skills http/1.1",
    "GET /v1/ski lls HTTP/1.1",
    "GET http://evil.example/v1/skills HTTP/1.1",
    "GET //v1/skills HTTP/1.1",
    "GET v1/skills HTTP/1.1",
    "OPTIONS * HTTP/1.1",
    "CONNECT localhost:80 HTTP/1.1",
    "GET /v1/skills?\u{0} HTTP/1.1",
    "PRI * HTTP/2.0",
    "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
    "",
];
const HEADERS: [&str; 24] = [
    "host: localhost",
    "host: evil.example",
    "host:",
    "origin: null",
    "origin: http://localhost",
    "content-length: 0",
    "content-length: 5",
    "content-length: -1",
    "content-length: +5",
    "content-length: 5, 5",
    "content-length: 99999999999999999999999",
    "transfer-encoding: chunked",
    "transfer-encoding: gzip, chunked",
    "transfer-encoding: chunked, identity",
    "transfer-encoding : chunked",
    "expect: 100-continue",
    "expect: cake",
    "upgrade: h2c\r\nconnection: upgrade",
    "connection: keep-alive",
    "content-type: application/x-www-form-urlencoded",
    "content-encoding: gzip",
    " folded",
    "no colon",
    "n\0l: \u{1f980}",
];
const SIZES: [&str; 12] = [
    "",
    "-1",
    "0x5",
    " 5",
    "5;a=b",
    "5 ",
    "ffffffffffffffff",
    "fffffffffffffffff",
    "00000000000000000005",
    "g",
    "5\n",
    "7fffffff",
];

/// Generates a request. The `bool` is `true` if it only ends when the client closes its side.
pub(crate) fn make(rng: &mut Rng, host: &str) -> (Vec<u8>, bool) {
    let body = body(rng);
    let mut length = format!("content-length: {}", body.len());
    let mut sent = body;
    let mut open = false;
    match rng.below(24) {
        // The announced length is larger or smaller than the body.
        0 => (length, open) = (format!("content-length: {}", sent.len() + 1 + rng.below(1 << 20)), true),
        1 => length = format!("content-length: {}", sent.len() / 2),
        2 => (length, sent) = ("transfer-encoding: chunked".to_owned(), chunks(rng, &sent, false)),
        3 => (length, sent, open) = ("transfer-encoding: chunked".to_owned(), chunks(rng, &sent, true), true),
        _ => {}
    }
    let mut headers = vec![format!("host: {host}"), "connection: close".to_owned(), length];
    if rng.below(4) == 0 {
        for _ in 0..=rng.below(3) {
            headers.insert(rng.below(headers.len() + 1), rng.one(&HEADERS).to_owned());
        }
        open = true;
    }
    if rng.below(100) == 0 {
        headers.extend((0..rng.one(&[99, 200, 20_000])).map(|at| format!("x-{at}: y")));
    }
    if rng.below(100) == 0 {
        headers.push(format!("x-long: {}", "y".repeat(rng.one(&[8_000, 70_000, 1_000_000]))));
    }
    let line = if rng.below(12) == 0 {
        open = true;
        rng.one(&LINES).to_owned()
    } else {
        format!("{} {} HTTP/1.{}", rng.one(&METHODS), path(rng), usize::from(rng.below(10) > 0))
    };
    let mut bytes = format!("{line}\r\n{}\r\n\r\n", headers.join("\r\n")).into_bytes();
    bytes.extend(sent);
    if rng.below(4) == 0 {
        open = true;
        (0..=rng.below(4)).for_each(|_| mutate(rng, &mut bytes));
    }
    (bytes, open)
}

fn path(rng: &mut Rng) -> String {
    match rng.below(12) {
        0 => "/api/ai/chat".to_owned(),
        1 => "/v1/openapi.json".to_owned(),
        2 => "/v1/skills".to_owned(),
        3 => rng.one(&["/", "/?#token=x", "//", "/..", "/v1", "/%2e%2e/", "/v1/skills/%2f"]).to_owned(),
        4 if rng.below(10) == 0 => {
            format!("/v1/skills/{}", "%2e/".repeat(rng.one(&[1_000, 16_000, 60_000])))
        }
        _ => format!("/v1/skills/{}{}", rng.one(&NAMES), rng.one(&ENDS)),
    }
}

fn body(rng: &mut Rng) -> Vec<u8> {
    let deep = |open: &str, close: &str| {
        let depth = 100_000;
        format!("{{\"input\": {}1{}}}", open.repeat(depth), close.repeat(depth)).into_bytes()
    };
    match rng.below(120) {
        0 => deep("[", "]"),
        1 => deep("{\"a\": ", "}"),
        2 => deep("[", ""),
        3 => format!("{{\"input\": {}}}", "9".repeat(100_000)).into_bytes(),
        4 => format!("{{\"input\": \"{}\"}}", "\\u00e9".repeat(100_000)).into_bytes(),
        5 => b"{\"input\": \"\xff\xfe\xed\xa0\x80\"}".to_vec(),
        6 => (0..rng.below(300)).map(|_| u8::try_from(rng.below(256)).expect("a byte")).collect(),
        _ => rng.one(&VALUES).as_bytes().to_vec(),
    }
}

fn chunks(rng: &mut Rng, body: &[u8], broken: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    for chunk in body.chunks(1 + rng.below(64)) {
        let size = if broken && rng.below(2) == 0 {
            rng.one(&SIZES).to_owned()
        } else {
            format!("{:x}", chunk.len())
        };
        bytes.extend(size.into_bytes());
        bytes.extend(b"\r\n");
        bytes.extend(chunk);
        bytes.extend(if broken && rng.below(4) == 0 { b"xx".as_slice() } else { b"\r\n" });
    }
    bytes.extend(if broken { b"0\r\nx\0: \xff\r\n".as_slice() } else { b"0\r\ntrailer: x\r\n\r\n" });
    bytes
}

/// Changes, removes or duplicates some bytes, or truncates the request.
fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    // Most parsing concerns the head, so most changes are made there.
    let near = bytes.len().min(400);
    let at = rng.below(near);
    match rng.below(8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.remove(at)),
        2 => bytes.insert(at, bytes[at]),
        3 => bytes.insert(at, rng.one(&[0, b'\r', b'\n', b' ', b':', 0x80, 0xff])),
        _ => bytes[at] = u8::try_from(rng.below(256)).expect("a byte"),
    }
}
