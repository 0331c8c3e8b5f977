//! A unique id for each run, by which the processes of the run are found.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies a run of a program. The program gets it as `SKILL_RUN_ID`.
///
/// Only this type creates ids, because the processes of a run are found by its id: two runs with the same id
/// would end each other.
///
/// ```
/// use skills_exec::RunId;
/// let id = RunId::fresh();
/// assert_eq!(id.as_str().len(), 32);
/// assert_ne!(id, RunId::fresh());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunId(String);

impl RunId {
    /// Creates a unique id: 32 hexadecimal digits, from random bits and a counter.
    pub fn fresh() -> Self {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        let pid = std::process::id();
        // Each RandomState has keys from the system's random source, so two processes with one pid (in
        // different containers) differ too.
        let random = RandomState::new().hash_one((pid, count));
        let other = RandomState::new().hash_one((count, pid));
        Self(format!("{random:016x}{:016x}", other.wrapping_add(count)))
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
