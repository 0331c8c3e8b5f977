//! An HTTP/1.1 server that answers each request with the next prepared reply and records the requests.

use std::sync::{Arc, Mutex};

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use skills_call::model::{Delta, LanguageModel, Message, ModelError, Request, ToolDefinition};
use skills_genai::Genai;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

pub(crate) struct Server {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// A received request.
#[derive(Clone)]
pub(crate) struct Asked {
    /// The request line and the headers, in lower case.
    pub(crate) head: String,
    pub(crate) body: Value,
}

pub(crate) struct Reply {
    head: String,
    body: Vec<u8>,
    then: Then,
}

enum Then {
    Close,
    /// Stops sending, and signals when the client has closed the connection.
    Stall(oneshot::Sender<()>),
}

impl Reply {
    pub(crate) fn new(status: &str, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        );
        Self { head, body, then: Then::Close }
    }

    pub(crate) fn json(body: &Value) -> Self {
        Self::new("200 OK", "application/json", body.to_string())
    }

    pub(crate) fn failed(status: &str, message: &str) -> Self {
        let body = json!({ "error": { "message": message, "type": "some_error", "code": null } });
        Self::new(status, "application/json", body.to_string())
    }

    /// Adds a header.
    pub(crate) fn with(mut self, header: &str) -> Self {
        self.head = self.head.replacen("\r\n", &format!("\r\n{header}\r\n"), 1);
        self
    }

    /// Returns a whole stream, whose end is given by its length.
    pub(crate) fn events(body: &str) -> Self {
        Self::new("200 OK", "text/event-stream", body)
    }

    /// Returns a response whose connection closes before the body is complete.
    pub(crate) fn cut(kind: &str, body: &str) -> Self {
        let mut reply = Self::new("200 OK", kind, body);
        reply.head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len() + 100
        );
        reply
    }

    /// Returns a response that never ends, and a receiver that signals when the client has disconnected.
    pub(crate) fn stalled(kind: &str, body: &str) -> (Self, oneshot::Receiver<()>) {
        let (gone, is_gone) = oneshot::channel();
        let mut reply = Self::cut(kind, body);
        reply.then = Then::Stall(gone);
        (reply, is_gone)
    }

    pub(crate) fn redirect(to: &str) -> Self {
        let head = format!(
            "HTTP/1.1 307 Temporary Redirect\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        Self { head, body: Vec::new(), then: Then::Close }
    }
}

impl Server {
    pub(crate) async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let replies: Vec<Reply> = replies.into_iter().collect();
        let kept = Arc::clone(&asked);
        tokio::spawn(async move {
            for reply in replies {
                let (stream, _) = listener.accept().await.expect("a connection");
                serve(stream, reply, &kept).await;
            }
        });
        Self { url, asked }
    }

    /// Returns the requests so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no test failed while it held this").clone()
    }

    pub(crate) fn first(&self) -> Asked {
        self.asked().remove(0)
    }

    /// Returns a model at this server.
    pub(crate) fn model(&self, name: &str) -> Genai {
        Genai::builder(name).base_url(&self.url).key("sk-secret-1").build().expect("a model")
    }
}

async fn serve(mut stream: TcpStream, reply: Reply, kept: &Mutex<Vec<Asked>>) {
    let mut bytes = Vec::new();
    let (head, start) = loop {
        stream.read_buf(&mut bytes).await.expect("a request");
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break (String::from_utf8_lossy(&bytes[..end]).to_lowercase(), end + 4);
        }
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |length| length.parse().expect("a length"));
    while bytes.len() < start + length {
        stream.read_buf(&mut bytes).await.expect("a body");
    }
    let body = serde_json::from_slice(&bytes[start..]).expect("a body of JSON");
    kept.lock().expect("no test failed while it held this").push(Asked { head, body });
    stream.write_all(reply.head.as_bytes()).await.expect("the client reads");
    stream.write_all(&reply.body).await.expect("the client reads");
    if let Then::Stall(gone) = reply.then {
        let mut rest = [0; 1];
        // 0 bytes or an error: the client has closed its side.
        if stream.read(&mut rest).await.map_or(0, |count| count) == 0 {
            gone.send(()).expect("the test waits");
        }
    }
}

pub(crate) fn hello() -> Request {
    Request::new(vec![Message::user("Hello")])
}

pub(crate) fn with_tool() -> Request {
    let mut request = hello();
    request.tools.push(ToolDefinition {
        name: "get_weather".to_owned(),
        description: "Tells the weather".to_owned(),
        parameters: json!({ "type": "object", "properties": { "city": { "type": "string" } } }),
    });
    request
}

/// Reads a stream to its end or first error.
pub(crate) async fn collect(model: &Genai, request: &Request) -> (Vec<Delta>, Option<ModelError>) {
    let mut stream = model.stream(request);
    let mut deltas = Vec::new();
    while let Some(delta) = stream.next().await {
        match delta {
            Ok(delta) => deltas.push(delta),
            Err(error) => {
                assert!(stream.next().await.is_none(), "nothing follows a failure");
                return (deltas, Some(error));
            }
        }
    }
    (deltas, None)
}
