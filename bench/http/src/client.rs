//! HTTP clients that keep their connections and send requests concurrently, in rounds.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// The request, the number of clients, and the number of requests of each.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    pub(crate) path: &'static str,
    pub(crate) body: Option<&'static str>,
    pub(crate) clients: usize,
    pub(crate) turns: usize,
}

/// Sends the load to a server. Every response must be complete and successful.
pub(crate) fn run(address: SocketAddr, load: Load) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let head = match load.body {
            None => format!("GET {} HTTP/1.1\r\nhost: {address}\r\n\r\n", load.path),
            Some(body) => format!(
                "POST {} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                load.path,
                body.len()
            ),
        };
        let request: &'static str = head.leak();
        let mut streams = Vec::new();
        for _ in 0..load.clients.min(load.clients * load.turns) {
            streams.push(TcpStream::connect(address).await.unwrap());
        }
        for _ in 0..load.turns {
            let mut asking = JoinSet::new();
            for mut stream in streams.drain(..) {
                asking.spawn(async move {
                    ask(&mut stream, request).await;
                    stream
                });
            }
            while let Some(stream) = asking.join_next().await {
                streams.push(stream.unwrap());
            }
        }
    });
}

/// Sends a request and reads the whole response.
async fn ask(stream: &mut TcpStream, request: &str) {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut read = Vec::with_capacity(64 * 1024);
    loop {
        assert!(stream.read_buf(&mut read).await.unwrap() > 0, "the answer is cut off");
        let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = std::str::from_utf8(&read[..end]).unwrap();
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if read.len() == end + 4 + length.parse::<usize>().unwrap() {
            return;
        }
    }
}
