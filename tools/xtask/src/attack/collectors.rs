//! Attack: a collector of traces answers late, endlessly or one byte at a time. The command must end anyway.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::Target;

/// The maximum time that a collector may add to a command: the two seconds of the rule, and the delay of a busy
/// machine.
const MAX_DELAY: Duration = Duration::from_millis(3_500);

/// How many bytes a collector may send: the read part of two answers, and the socket buffers.
const BYTES: u64 = 64 << 20;

const SKILL: &str = "---\nname: it\ndescription: It runs.\nexec: run.sh\n---\nIt runs.\n";

static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Misbehaves towards a client.
type Misbehaviour = fn(TcpStream) -> std::io::Result<()>;

const MALICES: [(&str, Misbehaviour); 3] = [
    ("no answer", |mut stream| stream.read_to_end(&mut Vec::new()).map(drop)),
    ("an endless answer", |mut stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
        loop {
            stream.write_all(&[b'a'; 1 << 16])?;
            WRITTEN.fetch_add(1 << 16, Ordering::Relaxed);
        }
    }),
    ("a byte at a time", |mut stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n")?;
        loop {
            stream.write_all(b"a")?;
            std::thread::sleep(Duration::from_millis(50));
        }
    }),
];

#[cfg(not(unix))]
pub(super) fn attack(_: &Target, _: usize) -> Result<String, String> {
    Ok("there is no such program here".to_owned())
}

#[cfg(unix)]
pub(super) fn attack(victim: &Target, rounds: usize) -> Result<String, String> {
    use std::os::unix::fs::PermissionsExt;
    victim.write("s/it/SKILL.md", SKILL)?;
    victim.write("s/it/run.sh", "#!/bin/sh\necho done\n")?;
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(victim.path("s/it/run.sh"), mode).map_err(|error| error.to_string())?;
    let call = ["exec", "it", "--dir", "s", "--input", "{}"];
    let timed = |arguments: &[&str]| {
        let begin = Instant::now();
        let output = victim.run(arguments)?;
        match String::from_utf8_lossy(&output.stdout).contains("done") {
            true => Ok(begin.elapsed()),
            false => Err(format!("the skill did not run: {}", String::from_utf8_lossy(&output.stderr))),
        }
    };
    let alone = timed(&call)?;
    let mut lines = Vec::new();
    for (name, malice) in MALICES {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let url = format!("http://{}", listener.local_addr().map_err(|error| error.to_string())?);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                // The client is expected to disconnect.
                std::thread::spawn(move || malice(stream).ok());
            }
        });
        let mut longest = Duration::ZERO;
        for _ in 0..rounds.div_ceil(5).min(5) {
            WRITTEN.store(0, Ordering::Relaxed);
            longest = longest.max(timed(&[&call[..], &["--otlp", &url]].concat())?.saturating_sub(alone));
            let written = WRITTEN.load(Ordering::Relaxed);
            if longest > MAX_DELAY || written > BYTES {
                return Err(format!("{name}: {:.1} s longer, {written} bytes taken", longest.as_secs_f64()));
            }
        }
        lines.push(format!("{name} {:.1} s", longest.as_secs_f64()));
    }
    Ok(format!("{} longer than without", lines.join(", ")))
}
