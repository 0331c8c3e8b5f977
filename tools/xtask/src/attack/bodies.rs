//! Attack: request bodies with as many violations as possible, and bodies that take long to check. The size of an
//! answer and the memory must be bounded, and other clients must be answered meanwhile.

use std::time::{Duration, Instant};

use super::Target;
use super::served::{Answer, Served, exchange};

/// How large an answer about violations may be, in bytes.
const LARGEST: usize = 256 * 1024;

/// How much more memory the server may take than before, in kB; known on Linux.
const MEMORY: u64 = 256 * 1024;

/// How long another client may wait, beyond the delay of a busy machine.
const WAIT: Duration = Duration::from_secs(5);

pub(super) fn attack(victim: &Target, rounds: usize) -> Result<String, String> {
    let names: Vec<String> = (0..20).map(|at| format!("\"field{at}\"")).collect();
    let records = format!("{{\"type\": \"object\", \"required\": [{}]}}", names.join(","));
    let numbers: Vec<String> = (0..4_000).map(|at| (at * 7).to_string()).collect();
    let numbers = format!("{{\"enum\": [{}]}}", numbers.join(","));
    // Each text takes 400,000 steps, so all texts together exceed the limit of a check.
    let slow = "{\"type\": \"string\", \"pattern\": \"^(a+)+$\"}".to_owned();
    for (name, item) in [("records", &records), ("numbers", &numbers), ("slow", &slow)] {
        let schema = format!(
            "{{\"type\": \"object\", \"properties\": {{\"items\": {{\"type\": \"array\", \"items\": {item}}}}}}}"
        );
        victim.write(format!("s/{name}/skill.json"), &manifest(name, &schema))?;
    }
    let served = Served::start(victim, &Served::HTTP)?;
    let before = served.memory();

    let body = input("{}", 60_000);
    let answer = served.post("records", &body)?;
    if answer.status != 400 || answer.body.len() > LARGEST {
        return Err(format!(
            "{} bytes were answered {} by {} bytes",
            body.len(),
            answer.status,
            answer.body.len()
        ));
    }
    let grown = served.memory().saturating_sub(before);
    if grown > MEMORY {
        return Err(format!("{} bytes took {grown} kB of memory", body.len()));
    }

    let mut longest = Duration::ZERO;
    let values = [("numbers", "27993"), ("slow", "\"aaaaaaaaaaaaaaaab\"")];
    for (name, value) in values.iter().cycle().take(rounds.div_ceil(5) * values.len()) {
        let body = input(value, 1_000_000 / (value.len() + 1));
        longest = longest.max(wait(&served, name, &body)?);
    }
    if longest > WAIT {
        return Err(format!("another client waited {longest:.1?} for four bodies of a megabyte"));
    }
    Ok(format!(
        "{} bytes of violations are answered by {}, with {grown} kB of memory; beside four bodies of a megabyte another \
         client waits {longest:.1?} at most",
        body.len(),
        answer.body.len()
    ))
}

fn manifest(name: &str, schema: &str) -> String {
    format!(
        "{{\"name\": \"{name}\", \"description\": \"It is called.\", \"category\": \"c\", \"mode\": \"code\", \
         \"input\": {schema}, \"output\": {{\"type\": \"object\"}}}}"
    )
}

fn input(value: &str, count: usize) -> String {
    // The last item is invalid, so that the whole input is refused.
    format!("{{\"input\":{{\"items\":[{},\"no\"]}}}}", vec![value; count].join(","))
}

/// Sends four such bodies at once; returns how long another client waits at most until all are answered.
fn wait(served: &Served, name: &str, body: &str) -> Result<Duration, String> {
    std::thread::scope(|scope| {
        let posts: Vec<_> = (0..4).map(|_| scope.spawn(|| served.post(name, body))).collect();
        let mut longest = Duration::ZERO;
        while !posts.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            let begin = Instant::now();
            let list = exchange(&served.address, "GET /v1/skills HTTP/1.1\r\n", "");
            longest = longest.max(begin.elapsed());
            let status = list.map_err(|error| error.to_string())?.status;
            if status != 200 {
                return Err(format!("the list was answered {status}"));
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        for post in posts {
            match post.join().map_err(|_| "a client panicked".to_owned())?? {
                // A busy machine may be too slow for the time limit of a call.
                Answer { status: 400 | 504, body } if body.len() <= LARGEST => {}
                Answer { status, body } => {
                    return Err(format!("`{name}` was answered {status} by {} bytes", body.len()));
                }
            }
        }
        Ok(longest)
    })
}
