//! A minimal HTTP client for a Restate server: one request, one response, without TLS.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::Failure;

/// Sends a request, and returns the status and text of the response.
pub(crate) async fn ask(
    address: &str,
    method: &str,
    path: &str,
    headers: &[(String, String)],
    body: &str,
) -> Result<(u16, String), Failure> {
    let mut stream = TcpStream::connect(address).await?;
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
    head.push_str("accept: application/json\r\n");
    if !body.is_empty() {
        head.push_str("content-type: application/json\r\n");
    }
    for (name, value) in headers {
        if value.contains(['\r', '\n']) {
            return Err(format!("{name} has a line feed").into());
        }
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    read(&answer).ok_or_else(|| format!("{address} does not answer with HTTP").into())
}

fn read(answer: &[u8]) -> Option<(u16, String)> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(answer.get(..end)?).ok()?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let is_chunked = head.lines().any(|line| line.eq_ignore_ascii_case("transfer-encoding: chunked"));
    let body = answer.get(end + 4..)?;
    let body = if is_chunked { join(body)? } else { body.to_vec() };
    Some((status, String::from_utf8(body).ok()?))
}

/// Joins the chunks of a body.
fn join(mut body: &[u8]) -> Option<Vec<u8>> {
    let mut joined = Vec::new();
    loop {
        let end = body.windows(2).position(|two| two == b"\r\n")?;
        let size = std::str::from_utf8(body.get(..end)?).ok()?.split(';').next()?.trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        body = body.get(end + 2..)?;
        if size == 0 {
            return Some(joined);
        }
        joined.extend_from_slice(body.get(..size)?);
        body = body.get(size + 2..)?;
    }
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
    use super::*;

    // SPEC 19.4
    #[test]
    fn answers_are_read_whole() {
        let plain = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
        assert_eq!(read(plain), Some((200, "{}".to_owned())));
        let chunked =
            b"HTTP/1.1 500 x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{\"a\r\n4;x\r\n\":1}\r\n0\r\n\r\n";
        assert_eq!(read(chunked), Some((500, "{\"a\":1}".to_owned())));
        assert_eq!(read(b"HTTP/1.1 500 x\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{\"a"), None);
        assert_eq!(read(b""), None);
        assert_eq!(part("a/b é"), "a%2Fb%20%C3%A9");
    }
}
