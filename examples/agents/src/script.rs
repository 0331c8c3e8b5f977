//! A scripted server on loopback: it checks each request, and sends the next answer, as one event if the request
//! asks for a stream.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Value, json};

use crate::variable;

/// Returns the URL and the key of OpenAI's server from the environment, or those of a scripted server that calls `find_notes` and
/// then answers.
///
/// # Errors
/// If loopback has no free port.
pub fn openai_server() -> io::Result<(String, String)> {
    if let Some(key) = variable("OPENAI_API_KEY") {
        let url = variable("OPENAI_BASE_URL").unwrap_or_else(|| "https://api.openai.com/v1".to_owned());
        return Ok((url.trim_end_matches('/').to_owned(), key));
    }
    let function = json!({"name": "find_notes", "arguments": r#"{"topic": "roses"}"#});
    let call =
        json!({"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": function}]});
    let first =
        ["POST /v1/chat/completions", "Bearer scripted", r#""type":"function""#, r#""name":"find_notes""#];
    let text = json!({"role": "assistant", "content": "Water the roses twice a week."});
    let url = Script::default()
        .turn(&first, completion(call))
        .turn(&[r#""tool_call_id":"1""#, "twice a week"], completion(text))
        .serve()?;
    Ok((format!("{url}/v1"), "scripted".to_owned()))
}

/// Returns an answer of the Chat Completions API.
fn completion(message: Value) -> Value {
    json!({
        "id": "1", "object": "chat.completion", "created": 0, "model": "scripted",
        "choices": [{"index": 0, "message": message}],
    })
}

/// The expected requests and their answers, in order. The server ends after the last one.
#[derive(Default)]
pub struct Script {
    lines: VecDeque<(Vec<&'static str>, Value)>,
}

impl Script {
    /// Adds a request, given by texts that its head and body must contain, and the answer.
    #[must_use]
    pub fn turn(mut self, expected: &[&'static str], answer: Value) -> Self {
        self.lines.push_back((expected.to_vec(), answer));
        self
    }

    /// Starts the server, and returns its address.
    ///
    /// # Errors
    /// If loopback has no free port.
    pub fn serve(self) -> io::Result<String> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("http://{}", listener.local_addr()?);
        thread::spawn(move || {
            for (expected, answer) in self.lines {
                // Write errors are ignored: a client that disconnects reports the error itself.
                listener.accept().and_then(|(stream, _)| reply(stream, &expected, &answer)).ok();
            }
        });
        Ok(address)
    }
}

fn reply(stream: TcpStream, expected: &[&str], answer: &Value) -> io::Result<()> {
    let request = read(&stream)?;
    let missing = expected.iter().find(|text| !request.contains(**text));
    let (status, body) = match missing {
        None => ("200 OK", answer.clone()),
        Some(text) => {
            ("400 Bad Request", json!({"error": {"message": format!("{text} is not in {request}")}}))
        }
    };
    let is_stream = missing.is_none() && request.contains(r#""stream":true"#);
    let (kind, body) = if is_stream {
        ("text/event-stream", format!("data: {body}\n\ndata: [DONE]\n\n"))
    } else {
        ("application/json", body.to_string())
    };
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\n");
    write!(&stream, "{head}content-length: {}\r\n\r\n{body}", body.len())
}

/// Reads a request: its head, and a body of the length in the head.
fn read(stream: &TcpStream) -> io::Result<String> {
    let mut reader = BufReader::new(stream);
    let mut text = String::new();
    let mut length = 0;
    while reader.read_line(&mut text)? > 2 {
        let line = text.lines().last().and_then(|line| line.split_once(": "));
        if let Some((_, value)) = line.filter(|(name, _)| name.eq_ignore_ascii_case("content-length")) {
            length = value.parse().map_err(io::Error::other)?;
        }
    }
    reader.take(length).read_to_string(&mut text)?;
    Ok(text)
}
