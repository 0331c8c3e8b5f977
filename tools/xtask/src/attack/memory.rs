//! Attack: many large bodies at once. All of them share one memory bound, and bodies beyond it are refused.

use std::thread::available_parallelism;

use super::Target;
use super::served::{Served, exchange};

/// The number of clients that send a body at once.
const CLIENTS: usize = 60;

/// The memory in kB that a server may take: for all requests together, and for the buffers of each processor. It is
/// measured only on Linux.
const MAX_MEMORY: u64 = 256 * 1024;
const MEMORY_PER_PROCESSOR: u64 = 100 * 1024;

/// The sufficient number of rounds.
const ROUNDS: usize = 2;

/// The number of bodies that one client sends one after the other. Over MCP, each of them begins a session.
const IN_TURN: usize = 20;

pub(super) fn attack(victim: &Target, rounds: usize) -> Result<String, String> {
    let schema = r#"{"type": "object", "properties": {"items": {"type": "array"}}}"#;
    let manifest = format!(
        r#"{{"name": "sleeper", "description": "It sleeps.", "category": "c", "mode": "code", "timeout": 1000, "input": {schema}, "output": {{"type": "object"}}}}"#
    );
    victim.write("s/sleeper/skill.json", &manifest)?;
    let document = "---\nname: sleeper\ndescription: It sleeps.\nexec: run\n---\nSleep.\n";
    victim.write("s/sleeper/SKILL.md", document)?;
    victim.write("s/sleeper/run", "#!/bin/sh\ncat > /dev/null\nsleep 600\n")?;
    let most = MAX_MEMORY + MEMORY_PER_PROCESSOR * available_parallelism().map_or(1, usize::from) as u64;
    let mut lines = Vec::new();
    // The bodies that take the most memory: a value for every two or three bytes, and long texts.
    for item in ["1,", "[],", "\"\",", &format!("\"{}\",", "a".repeat(899_000))] {
        let items = item.repeat(900_000 / item.len());
        let items = items.trim_end_matches(',');
        let call = format!(r#"{{"input": {{"items": [{items}]}}}}"#);
        let message = format!(
            r#"{{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {{"protocolVersion": "2025-06-18", "clientInfo": {{"name": "a", "version": "1"}}, "capabilities": {{"experimental": {{"a": {{"b": [{items}]}}}}}}}}}}"#
        );
        let http = ("POST /v1/skills/sleeper/call HTTP/1.1\r\n", &call, &Served::HTTP[..]);
        let mcp = (
            "POST /mcp HTTP/1.1\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n",
            &message,
            &Served::MCP[..],
        );
        for (head, body, arguments) in [http, mcp] {
            let served = Served::start(victim, arguments)?;
            let before = served.memory();
            for _ in 0..rounds.min(ROUNDS) {
                crowd(&served, head, body)?;
            }
            if arguments == &Served::MCP[..] {
                in_turn(&served, head, body)?;
            }
            let grown = served.memory().saturating_sub(before);
            if grown > most {
                return Err(format!("{CLIENTS} bodies of {} bytes took {grown} kB of memory", body.len()));
            }
            lines.push(grown / 1024);
        }
    }
    Ok(format!("{CLIENTS} bodies of 0.9 MB at once take {lines:?} MiB"))
}

/// Sends the same body again and again.
fn in_turn(served: &Served, head: &str, body: &str) -> Result<(), String> {
    let head = format!("{head}content-length: {}\r\n", body.len());
    for _ in 0..IN_TURN {
        exchange(&served.address, &head, body).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Sends the same body from all clients at once. Each is accepted or refused.
fn crowd(served: &Served, head: &str, body: &str) -> Result<(), String> {
    let head = format!("{head}content-length: {}\r\n", body.len());
    std::thread::scope(|scope| {
        let clients: Vec<_> =
            (0..CLIENTS).map(|_| scope.spawn(|| exchange(&served.address, &head, body))).collect();
        for client in clients {
            let answer = client.join().map_err(|_| "a client panicked".to_owned())?;
            match answer.map_err(|error| error.to_string())?.status {
                200 | 503 | 504 => {}
                other => return Err(format!("a body of {} bytes was answered {other}", body.len())),
            }
        }
        Ok(())
    })
}
