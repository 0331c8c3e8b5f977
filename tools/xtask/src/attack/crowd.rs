//! Attack: many requests start programs that run for a day. Every other client must get an answer, or a
//! request to retry later, within 3 s.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::Target;
use super::served::Served;

/// The number of requests whose programs run for a day, and the number of requests with a much longer time
/// limit.
const LONG_RUNS: usize = 80;
const LATE_LIMITS: usize = 40;

/// How long any other client may wait.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// The sufficient number of rounds. Only the order of the requests in a round is random.
const ROUNDS: usize = 2;

/// Requests of other clients, with the statuses that count as answers.
const OTHERS: [(&str, &str, &[u16]); 4] = [
    ("GET /v1/skills", "", &[200]),
    ("POST /v1/skills/quick/exec", r#"{"input": {}}"#, &[200, 503]),
    ("POST /v1/skills/quick/exec", r#"{"input": {}, "timeout": "1s"}"#, &[200, 503]),
    ("POST /v1/skills/quick/call", r#"{"input": {}}"#, &[200, 503]),
];

pub(super) fn attack(victim: &Target, rounds: usize) -> Result<String, String> {
    for (name, program) in [("slow", "sleep 600"), ("quick", "echo '{}'")] {
        let document = format!("---\nname: {name}\ndescription: It runs.\nexec: run\n---\nBody.\n");
        victim.write(format!("s/{name}/SKILL.md"), &document)?;
        victim.write(format!("s/{name}/run"), &format!("#!/bin/sh\n{program}\n"))?;
    }
    let schema = r#"{"type": "object", "properties": {}}"#;
    let function = format!(
        r#"{{"name": "quick", "description": "It runs.", "category": "c", "mode": "code", "input": {schema}, "output": {schema}}}"#
    );
    victim.write("s/quick/skill.json", &function)?;
    let mut slowest = Duration::ZERO;
    let rounds = rounds.min(ROUNDS);
    for _ in 0..rounds {
        slowest = slowest.max(round(&Served::start(victim, &Served::HTTP)?)?);
    }
    Ok(format!(
        "{rounds} crowds of {}, the slowest of the others was answered in {slowest:.1?}",
        LONG_RUNS + LATE_LIMITS
    ))
}

/// Starts the attack, and returns the longest wait of the other clients.
fn round(server: &Served) -> Result<Duration, String> {
    let mut crowd = Vec::new();
    for number in 0..LONG_RUNS + LATE_LIMITS {
        let limit = if number < LONG_RUNS { "23h" } else { "9999999h" };
        crowd.push(ask(server, "POST /v1/skills/slow/exec", &format!(r#"{{"timeout": "{limit}"}}"#))?);
    }
    let mut slowest = Duration::ZERO;
    let asked = OTHERS.iter().cycle().take(OTHERS.len() * 5).map(|(what, body, known)| {
        let begin = Instant::now();
        Ok((what, known, begin, ask(server, what, body)?))
    });
    for (what, known, begin, stream) in asked.collect::<Result<Vec<_>, String>>()? {
        let status = status(stream).map_err(|error| format!("{what}: {error}"))?;
        let took = begin.elapsed();
        if !known.contains(&status) || took > MAX_WAIT {
            return Err(format!("{what} was answered {status} after {took:.1?}"));
        }
        slowest = slowest.max(took);
    }
    let far = crowd.split_off(LONG_RUNS);
    for stream in far {
        match status(stream)? {
            400 => {}
            status => return Err(format!("a timeout of 9999999h was answered {status}")),
        }
    }
    Ok(slowest)
}

/// Sends a request without reading the answer.
fn ask(server: &Served, what: &str, body: &str) -> Result<TcpStream, String> {
    let mut stream = TcpStream::connect(&server.address).map_err(|error| error.to_string())?;
    let (address, length) = (&server.address, body.len());
    let head = format!(
        "{what} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes()).map_err(|error| error.to_string())?;
    Ok(stream)
}

fn status(mut stream: TcpStream) -> Result<u16, String> {
    stream.set_read_timeout(Some(MAX_WAIT * 4)).map_err(|error| error.to_string())?;
    let mut head = [0; 12];
    stream.read_exact(&mut head).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&head);
    text.rsplit(' ').next().and_then(|status| status.parse().ok()).ok_or_else(|| text.into_owned())
}
