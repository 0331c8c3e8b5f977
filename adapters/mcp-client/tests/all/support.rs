//! Connections to the example program `mcp_peer`, which serves skills or misbehaves.

use std::path::Path;
use std::time::Duration;

use skills_mcp_client::{Approved, Connection, Limits, Options, ServerAddress};

pub(crate) fn address(arguments: &[&str]) -> ServerAddress {
    let program = test_bed::example("mcp_peer").to_str().expect("UTF-8").to_owned();
    let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    ServerAddress::command(program, arguments)
}

pub(crate) fn connection(arguments: &[&str]) -> Connection {
    let mut limits = Limits::default();
    (limits.connect, limits.request) = (Duration::from_secs(60), Duration::from_secs(60));
    (limits.message, limits.budget.messages) = (1 << 20, 1000);
    Connection::new(Approved::typed(address(arguments)), Options::default().limits(limits))
}

/// Waits until a condition holds. The test fails if it takes too long.
pub(crate) async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1200 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{what}");
}

/// Returns the lines that the server has written to a log.
pub(crate) fn log(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

pub(crate) fn is_alive(pid: &str) -> bool {
    // A zombie has no command line.
    std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| !line.is_empty())
}
