//! Each run gets an id of its own, by which its processes are found again (SPEC 7.2).

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// Names one run of one program: `SKILL_RUN_ID` in its environment.
///
/// An id is made here and nowhere else, because the processes of a run are found by it: two runs with one id would
/// end each other.
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
    /// Makes an id that no other run has: 32 hexadecimal digits, random but for a counter.
    pub fn fresh() -> Self {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        let pid = std::process::id();
        // Each RandomState has keys from the system's random source, so two processes with one pid (in different
        // containers) differ too.
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
