//! Evaluates the records of the functions: when each began and ended, and which ran twice.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Microseconds since 1970.
pub fn micros() -> u128 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |now| now.as_micros())
}

/// The records of one call of a function.
#[derive(Debug, Default)]
pub struct Noted {
    /// The processes that began it.
    pub by: Vec<u32>,
    pub begun: Vec<u128>,
    pub ended: Vec<u128>,
    pub faults: usize,
    pub dropped: Vec<u128>,
}

/// Reads the records, grouped by the key of each call.
pub fn read_notes(log: &Path) -> BTreeMap<String, Noted> {
    let text = fs::read_to_string(log).unwrap_or_default();
    let mut calls: BTreeMap<String, Noted> = BTreeMap::new();
    for line in text.lines() {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let [at, by, word, key] = words[..] else { continue };
        let at: u128 = at.parse().expect("a time");
        let call = calls.entry(key.to_owned()).or_default();
        match word {
            "begin" => {
                call.begun.push(at);
                call.by.push(by.parse().unwrap_or(0));
            }
            "end" => call.ended.push(at),
            "fault" => call.faults += 1,
            _ => call.dropped.push(at),
        }
    }
    calls
}

/// Returns the expected output of `report` for this many notes.
pub fn report(count: usize) -> String {
    let parts: Vec<String> = (0..count).map(|id| format!("s{id}")).collect();
    format!(r#"{{"text":"{}","count":{count}}}"#, parts.join(","))
}

/// Summarizes the records. `moments` are the times of kills and server restarts.
pub fn sums(notes: &BTreeMap<String, Noted>, moments: &[u128]) -> String {
    let (mut begun, mut ended, mut faults, mut twice) = (0, 0, 0, Vec::new());
    for (key, note) in notes {
        (begun, ended, faults) = (begun + note.begun.len(), ended + note.ended.len(), faults + note.faults);
        assert!(!note.ended.is_empty(), "{key} was lost: {note:?}");
        if note.ended.len() > 1 {
            // A worker or the server died after the call ended and before its result was recorded.
            let first = note.ended[0];
            let after =
                moments.iter().filter(|at| **at + 1000 > first).map(|at| at.saturating_sub(first)).min();
            twice.push(format!("{key}, {} ms before", after.unwrap_or(u128::MAX) / 1000));
        }
    }
    let steps = notes.len();
    format!(
        "{steps} steps begun {begun} times, ended {ended} times, {faults} faults; {} ended twice (with the time until the next kill or restart of the server): {twice:?}",
        twice.len()
    )
}

/// Returns the steps of `report` that began after a later step had already used their result.
pub fn repeated(notes: &BTreeMap<String, Noted>) -> Vec<String> {
    let followers = |step: &str| match step {
        "research" => ["tally", "summarize[0]"].as_slice(),
        "merge" => &["polish/again"],
        step if step.starts_with("summarize") => &["merge"],
        _ => &[],
    };
    let is_repeated = |(key, note): (&String, &Noted)| {
        let (run, step) = key.split_once("/report/")?;
        let used = followers(step).iter().filter_map(|follower| {
            notes.get(&format!("{run}/report/{follower}"))?.begun.iter().min().copied()
        });
        let used = used.min()?;
        note.begun.iter().any(|begun| *begun > used).then(|| key.clone())
    };
    notes.iter().filter_map(is_repeated).collect()
}
