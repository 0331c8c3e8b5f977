//! A client that writes exact lines, and reads lines.

use serde_json::{Value, json};
use skills_mcp::Server;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};

pub(crate) struct Raw {
    pub(crate) read: Lines<BufReader<ReadHalf<DuplexStream>>>,
    pub(crate) write: WriteHalf<DuplexStream>,
}

impl Raw {
    pub(crate) fn new(server: Server) -> Self {
        let (near, far) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(far);
        tokio::spawn(skills_mcp::serve(server, read, write));
        let (read, write) = tokio::io::split(near);
        Self { read: BufReader::new(read).lines(), write }
    }

    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        self.write.write_all(bytes).await.expect("it reads");
    }

    pub(crate) async fn line(&mut self, bytes: &[u8]) {
        self.send(bytes).await;
        self.send(b"\n").await;
    }

    /// Reads one message, or returns `None` if the server has closed the stream.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        let line = self.read.next_line().await.expect("text")?;
        Some(serde_json::from_str(&line).expect("JSON, whatever was sent"))
    }

    /// Sends a request and waits for its answer, ignoring other messages.
    pub(crate) async fn ask(&mut self, id: &str, method: &str, params: Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.line(request.to_string().as_bytes()).await;
        loop {
            let answer = self.next().await.expect("the server is there");
            if answer["id"] == id {
                return answer;
            }
        }
    }

    pub(crate) async fn begin(&mut self) {
        let params = json!({"protocolVersion": "2025-06-18", "capabilities": {},
                            "clientInfo": {"name": "raw", "version": "1"}});
        let answer = self.ask("begin", "initialize", params).await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
        self.line(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    }

    /// Sends a line and a request, and returns all answers before that of the request.
    pub(crate) async fn answers(&mut self, line: &[u8]) -> Vec<Value> {
        self.line(line).await;
        self.line(br#"{"jsonrpc":"2.0","id":"mark","method":"ping"}"#).await;
        let mut answers = Vec::new();
        loop {
            let answer = self.next().await.expect("the server is there");
            if answer["id"] == "mark" {
                return answers;
            }
            answers.push(answer);
        }
    }
}
