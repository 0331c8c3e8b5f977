//! Reads and writes messages on two streams with size limits. An invalid message is answered with an error,
//! and the session continues.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::bounded;
use lsp_server::{Connection, Message, RequestId};
use serde_json::{Value, json};

/// The longest message that is read. Editors send one file at a time.
const LONGEST: u64 = 64 << 20;

/// The longest message that is skipped. A larger length means a broken stream.
const PASSED: u64 = 1 << 30;

/// The longest block of headers. Two short lines are usual.
const HEADERS: u64 = 4 << 10;

/// How many messages can wait while the server checks. It handles all of them before it checks again.
const WAITING: usize = 256;

/// An invalid message, with the error that answers it.
#[derive(Debug, PartialEq)]
struct Refusal {
    id: Option<RequestId>,
    code: i32,
    message: String,
}

impl Refusal {
    fn new(code: i32, message: impl Into<String>) -> Self {
        Self { id: None, code, message: message.into() }
    }
}

/// The threads that read and write. Both end with their streams.
pub(crate) struct Threads {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits until everything is written, and returns the errors of the streams.
    ///
    /// The reader has ended when its channel is closed, and the writer ends when the connection is dropped.
    pub(crate) fn join(self) -> io::Result<()> {
        let read = join_thread(self.reader);
        read.and(join_thread(self.writer))
    }
}

fn join_thread(thread: JoinHandle<io::Result<()>>) -> io::Result<()> {
    thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread of the transport has panicked")))
}

/// Connects two streams with channels of messages.
pub(crate) fn connect<R, W>(mut input: R, output: W) -> (Connection, Threads)
where
    R: BufRead + Send + 'static,
    W: Write + Send + 'static,
{
    let (sender, outgoing) = bounded::<Message>(0);
    let (incoming, receiver) = bounded::<Message>(WAITING);
    let output = Arc::new(Mutex::new(output));
    let answers = Arc::clone(&output);
    let writer = thread::spawn(move || {
        outgoing.into_iter().try_for_each(|message| {
            message.write(&mut *output.lock().unwrap_or_else(PoisonError::into_inner))
        })
    });
    let reader = thread::spawn(move || {
        while let Some(read) = read(&mut input)? {
            match read {
                Ok(message) => {
                    let is_exit = matches!(&message, Message::Notification(note) if note.method == "exit");
                    if incoming.send(message).is_err() || is_exit {
                        break;
                    }
                }
                // The message types of `lsp_server` cannot express an unknown id.
                Err(refusal) => {
                    refuse(&refusal, &mut *answers.lock().unwrap_or_else(PoisonError::into_inner))?;
                }
            }
        }
        Ok(())
    });
    (Connection { sender, receiver }, Threads { reader, writer })
}

fn refuse(refusal: &Refusal, output: &mut impl Write) -> io::Result<()> {
    let Refusal { id, code, message } = refusal;
    let error = json!({ "code": code, "message": message });
    let text = json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

/// Reads a message. Returns `None` at the end of the stream.
///
/// # Errors
///
/// Fails if the stream breaks, or if the start of the next message is unknown.
fn read(input: &mut impl BufRead) -> io::Result<Option<Result<Message, Refusal>>> {
    let Some(length) = length(input)? else { return Ok(None) };
    if length > PASSED {
        return Err(invalid(format!("a message of {length} bytes is announced")));
    }
    let mut body = input.take(length);
    if length > LONGEST {
        let passed = io::copy(&mut body, &mut io::sink())?;
        whole(passed, length)?;
        return Ok(Some(Err(Refusal::new(-32600, format!("the message is longer than {LONGEST} bytes")))));
    }
    // The buffer grows with the received bytes, not with the announced length.
    let mut bytes = Vec::new();
    let read = body.read_to_end(&mut bytes)?;
    whole(read as u64, length)?;
    Ok(Some(message(&bytes)))
}

/// Reads the headers up to the empty line, and returns the announced length.
fn length(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut headers = input.take(HEADERS);
    let (mut length, mut is_first) = (None, true);
    loop {
        let mut line = Vec::new();
        if headers.read_until(b'\n', &mut line)? == 0 && is_first {
            return Ok(None);
        }
        is_first = false;
        let Some(line) = line.strip_suffix(b"\n") else {
            return Err(invalid(match headers.limit() {
                0 => format!("the headers of a message are longer than {HEADERS} bytes"),
                _ => "the input ends within the headers of a message".to_owned(),
            }));
        };
        let line = String::from_utf8_lossy(line);
        let line = line.trim_end();
        if line.is_empty() {
            return length.map(Some).ok_or_else(|| invalid("a message has no Content-Length".to_owned()));
        }
        let (name, value) =
            line.split_once(':').ok_or_else(|| invalid(format!("`{}` is not a header", shortened(line))))?;
        if name.trim().eq_ignore_ascii_case("Content-Length") {
            let value = value.trim();
            let number =
                value.parse().map_err(|_| invalid(format!("`{}` is not a length", shortened(value))))?;
            length = Some(number);
        }
    }
}

fn whole(read: u64, length: u64) -> io::Result<()> {
    if read == length {
        return Ok(());
    }
    Err(invalid(format!("the input ends after {read} of {length} bytes of a message")))
}

/// Reads the text of a message.
fn message(bytes: &[u8]) -> Result<Message, Refusal> {
    let value: Value =
        serde_json::from_slice(bytes).map_err(|error| Refusal::new(-32700, format!("no JSON: {error}")))?;
    let id: Option<RequestId> = value.get("id").cloned().and_then(|id| serde_json::from_value(id).ok());
    if value.is_array() {
        return Err(Refusal::new(-32600, "batches are not served: send each message by itself"));
    }
    // Otherwise a request whose id cannot be represented would count as a notification, and its client would
    // wait forever.
    if value.get("method").is_some() && value.get("id").is_some() && id.is_none() {
        return Err(Refusal::new(-32600, "the id of a request is a text or a whole number of 32 bits"));
    }
    serde_json::from_value(value).map_err(|_| {
        let message = "neither a request, nor a notification, nor a response";
        Refusal { id, ..Refusal::new(-32600, message) }
    })
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(body: &str) -> Vec<u8> {
        format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
    }

    fn code(body: &[u8]) -> (i32, Option<RequestId>) {
        let mut input = io::Cursor::new([body, &framed(r#"{"method":"exit"}"#)].concat());
        let refusal = read(&mut input).unwrap().unwrap().unwrap_err();
        let next = read(&mut input).unwrap().unwrap().unwrap();
        assert!(matches!(next, Message::Notification(_)), "the next message is read");
        (refusal.code, refusal.id)
    }

    // SPEC 17.18
    #[test]
    fn an_invalid_message_is_refused_and_the_next_is_read() {
        for body in ["", "{", "\u{0}", "{\"id\":", "[[[", &"[".repeat(100_000)] {
            assert_eq!(code(&framed(body)), (-32700, None), "{:.20}", body);
        }
        assert_eq!(code(b"Content-Length: 2\r\n\r\n\xff\xff"), (-32700, None));
        for body in ["[]", "1", "{}", r#"{"id":1.5,"method":"a"}"#, r#"{"id":99999999999,"method":"a"}"#] {
            assert_eq!(code(&framed(body)), (-32600, None), "{body}");
        }
        assert_eq!(code(&framed(r#"{"id":7,"method":1}"#)), (-32600, Some(7.into())));
    }

    // SPEC 17.18: a message that is too long is skipped with little memory
    #[test]
    fn a_message_that_is_too_long_is_skipped() {
        let long = LONGEST + 1;
        let head = io::Cursor::new(format!("Content-Length: {long}\r\n\r\n").into_bytes());
        let body = io::repeat(b'a').take(long);
        let rest = io::Cursor::new(framed(r#"{"method":"exit"}"#));
        let mut input = io::BufReader::new(head.chain(body).chain(rest));
        assert_eq!(read(&mut input).unwrap().unwrap().unwrap_err().code, -32600);
        assert!(read(&mut input).unwrap().unwrap().is_ok());
    }

    // SPEC 17.18: after that, the start of the next message is unknown
    #[test]
    fn a_broken_stream_ends_with_an_error() {
        let long = "a".repeat(HEADERS as usize);
        let cases = [
            (
                "Content-Length: 18446744073709551615\r\n\r\n",
                "a message of 18446744073709551615 bytes is announced",
            ),
            ("Content-Length: 100000000000000\r\n\r\n", "a message of 100000000000000 bytes is announced"),
            ("Content-Length: 18446744073709551616\r\n\r\n", "`18446744073709551616` is not a length"),
            ("Content-Length: -1\r\n\r\n", "`-1` is not a length"),
            (
                "Content-Length: 1000000000\r\n\r\nshort",
                "the input ends after 5 of 1000000000 bytes of a message",
            ),
            (
                "Content-Length: 50000000\r\n\r\nshort",
                "the input ends after 5 of 50000000 bytes of a message",
            ),
            ("Content-Type: a\r\n\r\n", "a message has no Content-Length"),
            ("{\"id\":1}\r\n", "the input ends within the headers of a message"),
            ("nothing\r\n\r\n", "`nothing` is not a header"),
            ("Content-Length: 1", "the input ends within the headers of a message"),
            (&long, "the headers of a message are longer than 4096 bytes"),
        ];
        for (input, wanted) in cases {
            let error = read(&mut input.as_bytes()).unwrap_err();
            assert!(error.to_string().contains(wanted), "{:.40}: {error}", input);
        }
        assert!(read(&mut &b""[..]).unwrap().is_none());
    }

    // SPEC 17.18: messages arrive during a check, and all of them are handled before the next check.
    #[test]
    fn waiting_messages_are_handled_together() {
        let body = framed(r#"{"method":"a"}"#).repeat(WAITING);
        let (connection, threads) = connect(io::Cursor::new(body), io::sink());
        for _ in 0..1_000 {
            if threads.reader.is_finished() {
                break;
            }
            thread::sleep(std::time::Duration::from_millis(10));
        }
        assert_eq!(connection.receiver.try_iter().count(), WAITING);
    }

    // SPEC 17.18: the answer is written as a whole, between other answers of the server
    #[test]
    fn refusals_are_answered() {
        let mut out = Vec::new();
        refuse(&Refusal::new(-32700, "no JSON"), &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        let (length, text) = out.split_once("\r\n\r\n").unwrap();
        assert_eq!(length, format!("Content-Length: {}", text.len()));
        let answer: Value = serde_json::from_str(text).unwrap();
        let error = serde_json::json!({"code": -32700, "message": "no JSON"});
        assert_eq!(answer, serde_json::json!({"jsonrpc": "2.0", "id": null, "error": error}));
    }
}
