//! A server of the built command, and requests to it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::Target;

/// The answer to one request.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

/// A server that runs until this is dropped.
pub(super) struct Served {
    child: Child,
    pub(super) address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        // It handles this signal, and ends its programs.
        let asked = Command::new("kill").arg(self.child.id().to_string()).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _: std::io::Result<()> = self.child.kill();
        }
        let _: std::io::Result<_> = self.child.wait();
    }
}

impl Served {
    /// The arguments of a server of HTTP, and of MCP over HTTP.
    pub(super) const HTTP: [&str; 5] = ["serve", "s", "--bind", "127.0.0.1:0", "--enable-exec"];
    pub(super) const MCP: [&str; 4] = ["mcp", "s", "--bind", "127.0.0.1:0"];

    pub(super) fn start(victim: &Target, arguments: &[&str]) -> Result<Self, String> {
        let mut command = victim.command(arguments);
        let mut line = String::new();
        // MCP may use standard output for messages, so its server prints the address to standard error.
        let child = if arguments == Self::MCP {
            let mut child = spawn(command.stdout(Stdio::null()))?;
            child.stderr.take().map(|stderr| BufReader::new(stderr).read_line(&mut line));
            child
        } else {
            let mut child = spawn(command.stderr(Stdio::null()))?;
            child.stdout.take().map(|stdout| BufReader::new(stdout).read_line(&mut line));
            child
        };
        let served = Self { address: address(&line), child };
        if served.address.is_empty() { Err("it does not serve".to_owned()) } else { Ok(served) }
    }

    /// Returns the maximum memory that it has used, in kB; 0 if it is not known.
    pub(super) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
    }

    pub(super) fn post(&self, name: &str, body: &str) -> Result<Answer, String> {
        let head = format!("POST /v1/skills/{name}/call HTTP/1.1\r\ncontent-length: {}\r\n", body.len());
        exchange(&self.address, &head, body).map_err(|error| error.to_string())
    }
}

fn spawn(command: &mut Command) -> Result<Child, String> {
    command.spawn().map_err(|error| error.to_string())
}

/// Finds the address in the line that a server prints, such as `listening at http://127.0.0.1:8080/mcp`.
fn address(line: &str) -> String {
    let behind = line.trim().rsplit("http://").next().unwrap_or_default();
    behind.split('/').next().unwrap_or_default().to_owned()
}

/// Sends one request and reads the answer.
pub(super) fn exchange(address: &str, head: &str, body: &str) -> std::io::Result<Answer> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(120)))?;
    stream.write_all(format!("{head}host: {address}\r\nconnection: close\r\n\r\n{body}").as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let status = String::from_utf8_lossy(answer.get(9..12).unwrap_or_default()).parse().unwrap_or(0);
    let head = answer.windows(4).position(|window| window == b"\r\n\r\n").map_or(0, |at| at + 4);
    Ok(Answer { status, body: answer.split_off(head) })
}
