//! A model for tests: a server that speaks OpenAI's chat completions and gives prepared answers in their order.
#![allow(clippy::unwrap_used, reason = "a test without its server must fail")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

pub(crate) struct Provider {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Provider {
    /// Starts a server; after the last answer it takes no more requests.
    pub(crate) fn start(answers: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        let answers: Vec<String> = answers.iter().map(|answer| (*answer).to_owned()).collect();
        std::thread::spawn(move || {
            for answer in answers {
                let (stream, _) = listener.accept().unwrap();
                kept.lock().unwrap().push(serve(stream, &answer));
            }
        });
        Self { url, asked }
    }

    /// Returns the requests so far: the head in lower case, and the body.
    pub(crate) fn asked(&self) -> Vec<(String, Value)> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, answer: &str) -> (String, Value) {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
    let (head, body) = loop {
        let count = stream.read(&mut chunk).unwrap();
        assert!(count > 0, "the request ends early");
        bytes.extend_from_slice(&chunk[..count]);
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if bytes.len() >= end + 4 + length.parse::<usize>().unwrap() {
            break (head, serde_json::from_slice(&bytes[end + 4..]).unwrap());
        }
    };
    let chunk = json!({
        "id": "1", "object": "chat.completion.chunk", "created": 1, "model": "any",
        "choices": [{
            "index": 0, "finish_reason": "stop", "delta": {"role": "assistant", "content": answer}
        }],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
    });
    let body_of_answer = format!("data: {chunk}\n\ndata: [DONE]\n\n");
    let length = body_of_answer.len();
    let lines = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n";
    write!(stream, "{lines}content-length: {length}\r\n\r\n{body_of_answer}").unwrap();
    (head, body)
}
