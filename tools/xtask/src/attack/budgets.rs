//! Attack: MCP servers that send without end. Each command ends with the reason, soon and with little
//! memory.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::Target;

/// What each server does after it has read the first message.
const FLOODS: [(&str, &str); 4] = [
    ("standard error", "yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx >&2"),
    ("notifications", r#"yes '{"jsonrpc": "2.0", "method": "notifications/message", "params": {}}'"#),
    ("answers to nobody", r#"yes '{"jsonrpc": "2.0", "id": 1000000, "result": {}}'"#),
    ("text", "yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
];

/// Texts that a server over HTTP sends without end, after the head of a stream of events.
const STREAMS: [(&str, &str); 4] = [
    ("comments", ":\n"),
    ("fields without data", "id: 1\n\n"),
    ("one line", "data: xxxxxxxxxxxxxxxx"),
    ("chunks of one byte", "1\r\n:\r\n"),
];

/// The maximum CPU time of a command, with that of the server.
const LONGEST: Duration = Duration::from_secs(20);

/// How much of a stream a command may read, with what the buffers of the system hold.
const MOST: u64 = 512 << 20;

pub(super) fn attack(victim: &Target, _: usize) -> Result<String, String> {
    victim.write("s/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads.\n---\nRead.\n")?;
    for (name, flood) in FLOODS {
        victim.write("flood.sh", &format!("read line\n{flood}\n"))?;
        let arguments = ["list", "--mcp", "x=sh flood.sh"];
        let output = victim.run(&arguments)?;
        let text =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        // Before the session has begun, an answer to nobody ends it at once.
        if !text.contains("more than") && !text.contains("cannot be reached") {
            return Err(format!("a server that floods {name} was not refused: {text}"));
        }
        let time = victim.time(&arguments)?;
        if time > LONGEST {
            return Err(format!("a server that floods {name} took {:.1} s", time.as_secs_f64()));
        }
    }
    for (name, text) in STREAMS {
        flood_over_http(victim, name, text)?;
    }
    Ok(format!("{} kinds of floods end with an error", FLOODS.len() + STREAMS.len()))
}

/// Answers the first request with a stream that has no end.
fn flood_over_http(victim: &Target, name: &str, text: &'static str) -> Result<(), String> {
    let error = |error: std::io::Error| error.to_string();
    let listener = TcpListener::bind("127.0.0.1:0").map_err(error)?;
    let address = format!("x=http://{}/mcp", listener.local_addr().map_err(error)?);
    let sent = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&sent);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let count = Arc::clone(&count);
            thread::spawn(move || send_without_end(stream, text, &count));
        }
    });
    let output = victim.run(&["list", "--mcp", &address])?;
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed);
    let sent = sent.load(Ordering::Relaxed);
    if sent > MOST {
        return Err(format!("a server that floods {name} sent {sent} bytes: {printed}"));
    }
    if !printed.contains("more than") {
        return Err(format!("a server that floods {name} was not refused: {printed}"));
    }
    Ok(())
}

fn send_without_end(mut stream: TcpStream, text: &str, sent: &AtomicU64) -> Option<()> {
    if stream.read(&mut [0; 4096]).ok()? == 0 {
        return None;
    }
    let coding = if text.contains('\r') { "Transfer-Encoding: chunked\r\n" } else { "" };
    write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{coding}\r\n").ok()?;
    let part = text.repeat(1000);
    while stream.write_all(part.as_bytes()).is_ok() {
        sent.fetch_add(part.len() as u64, Ordering::Relaxed);
    }
    None
}
