//! Shared code for the tests of engines: skills, a host that records when its functions begin and end, and an
//! evaluation of these records.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::panic,
    reason = "it is only for tests"
)]
#![allow(missing_docs)]

mod features;
mod host;
mod kills;
mod notes;
mod process;
mod skills;

pub use features::{EngineServer, Fixture, error};
pub use host::runner;
pub use kills::{KillTarget, Kills};
pub use notes::{Noted, micros, read_notes, repeated, report, sums};
pub use process::{Process, cost, install, ports};
pub use skills::{FUNCTIONS, SPLIT, write_skills};

/// A pseudo-random number generator.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }
}

/// Reads a number from an environment variable.
pub fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Reads comma-separated words from an environment variable.
pub fn words(name: &str) -> Vec<String> {
    let text = std::env::var(name).unwrap_or_default();
    text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns the benchmarks: a skill, its input, its number of steps, and the number of concurrent runs.
pub fn jobs() -> [(&'static str, String, u64, u64); 5] {
    let (items, runs) = (number("SKILLS_ITEMS", 5000), number("SKILLS_RUNS", 200));
    [
        ("chain50", "{}".to_owned(), 50, 1),
        ("chain200", "{}".to_owned(), 200, 1),
        ("wide", r#"{"count": 500}"#.to_owned(), 501, 1),
        ("wide", format!(r#"{{"count": {items}}}"#), items + 1, 1),
        ("report", r#"{"count": 5}"#.to_owned(), 9, runs),
    ]
}
