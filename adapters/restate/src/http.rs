//! Requests to a Restate server, with limits for the time and the size of each answer.

use std::fmt;
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Client, Method};

use crate::Failure;

/// How long a connection may take.
const CONNECT_TIME: Duration = Duration::from_secs(10);

/// How long one answer may take. The callers that wait for a run ask again after that.
const ANSWER_TIME: Duration = Duration::from_secs(60);

/// The maximum size of an answer in bytes.
const MAX_ANSWER: usize = 64 << 20;

/// An answer has more than [`MAX_ANSWER`] bytes. Asking again would not help.
#[derive(Debug)]
pub(crate) struct AnswerTooLarge;

impl fmt::Display for AnswerTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the answer of the server has more than {} MiB", MAX_ANSWER >> 20)
    }
}

impl std::error::Error for AnswerTooLarge {}

/// Sends a request, and returns the status and text of the response.
pub(crate) async fn ask(
    address: &str,
    method: Method,
    path: &str,
    headers: &[(String, String)],
    body: &str,
) -> Result<(u16, String), Failure> {
    // A client of its own for each request, since a connection must not outlive the runtime that made it.
    let client = Client::builder().no_proxy().connect_timeout(CONNECT_TIME).timeout(ANSWER_TIME).build()?;
    let mut request =
        client.request(method, format!("http://{address}{path}")).header(ACCEPT, "application/json");
    if !body.is_empty() {
        request = request.header(CONTENT_TYPE, "application/json");
    }
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let mut response = request.body(body.to_owned()).send().await?;
    let status = response.status().as_u16();
    let mut answer = Vec::new();
    while let Some(part) = response.chunk().await? {
        if part.len() > MAX_ANSWER.saturating_sub(answer.len()) {
            return Err(AnswerTooLarge.into());
        }
        answer.extend_from_slice(&part);
    }
    Ok((status, String::from_utf8(answer)?))
}

/// Encodes a text as one segment of a path.
pub(crate) fn part(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Answers one request with a head, and then with zeros until the client is gone.
    async fn serve(listener: TcpListener, head: &'static str, is_endless: bool) {
        let (mut stream, _) = listener.accept().await.expect("a client");
        let _ = stream.read(&mut [0; 4096]).await;
        let mut sent = stream.write_all(head.as_bytes()).await;
        while sent.is_ok() && is_endless {
            sent = stream.write_all(&[b'0'; 65_536]).await;
        }
    }

    // SPEC 19.4
    #[tokio::test]
    async fn answers_are_read_whole_and_bounded() {
        for (head, is_endless, wanted) in [
            ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", false, Some((200, "{}"))),
            (
                "HTTP/1.1 500 x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n4;x\r\n\":1}\r\n0\r\n\r\n",
                false,
                Some((500, "{\"a\":1}")),
            ),
            ("HTTP/1.1 500 x\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{\"a", false, None),
            ("", false, None),
            ("HTTP/1.1 200 OK\r\n\r\n", true, None),
        ] {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
            let address = listener.local_addr().expect("an address").to_string();
            let (answer, ()) =
                tokio::join!(ask(&address, Method::GET, "/", &[], ""), serve(listener, head, is_endless));
            assert_eq!(
                is_endless,
                answer.as_ref().is_err_and(|error| error.is::<AnswerTooLarge>()),
                "{head}"
            );
            let answer = answer.ok();
            assert_eq!(answer.as_ref().map(|(status, text)| (*status, text.as_str())), wanted, "{head}");
        }
        let broken = [("x-name".to_owned(), "a\nb".to_owned())];
        assert!(ask("127.0.0.1:9", Method::GET, "/", &broken, "").await.is_err());
        assert_eq!(part("a/b é"), "a%2Fb%20%C3%A9");
    }
}
