//! Processes that a test starts, feeds, signals and waits for.
#![allow(clippy::unwrap_used, reason = "a test without its processes must fail")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::command::Run;

/// How long a test waits for an event: far longer than it takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// Asks until there is an answer.
pub(crate) fn eventually<T>(what: &str, ask: impl FnMut() -> Option<T>) -> T {
    let (start, mut ask) = (Instant::now(), ask);
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "it did not happen: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Runs a command with this text on its standard input.
pub(crate) fn feed(command: &mut Command, text: &str) -> Run {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// Waits for a file and reads it.
pub(crate) fn reads(path: &Path) -> String {
    eventually("a file is written", || std::fs::read_to_string(path).ok())
}

/// Sends a signal.
pub(crate) fn kill(signal: &str, pid: &str) {
    let sent = Command::new("kill").args(["-s", signal, pid]).status().unwrap();
    assert!(sent.success(), "{signal} to {pid}");
}

/// Waits until a process has ended; a zombie counts as ended.
pub(crate) fn until_gone(pid: &str) {
    eventually("the process ends", || {
        let exists = Command::new("kill").args(["-s", "0", pid]).stderr(Stdio::null()).status().unwrap();
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        (!exists.success() || stat.contains(") Z ")).then_some(())
    });
}
