//! Numbers calls, so that the events of different calls can be distinguished.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};

/// Identifies a call of a skill within this process, and the call from which it was made.
///
/// Every event of a call carries this id, which distinguishes concurrent calls of one skill. The id is a
/// counter: it is unique only within this process and allocates no memory.
#[derive(Clone, Copy)]
pub struct CallId {
    number: NonZeroU64,
    parent: Option<NonZeroU64>,
    /// The pipeline step that makes this call.
    step: Option<u32>,
    /// If this is the id of a pipeline, the step that makes the next calls.
    below: Option<u32>,
}

impl CallId {
    /// Creates the id of a call that `parent` makes, or of a top-level call.
    pub fn below(parent: Option<Self>) -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        // A process never makes 2^64 calls, so the counter does not wrap.
        let number = LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        Self {
            number: NonZeroU64::new(number).unwrap_or(NonZeroU64::MIN),
            parent: parent.map(|parent| parent.number),
            step: parent.and_then(|parent| parent.below),
            below: None,
        }
    }

    /// Returns the id of a pipeline for the calls of one of its steps.
    pub fn for_step(self, step: usize) -> Self {
        Self { below: u32::try_from(step).ok(), ..self }
    }

    /// Returns the index of the pipeline step that makes this call, counted from 0, or `None` if no step
    /// makes it.
    pub fn step(self) -> Option<u32> {
        self.step
    }

    /// Returns the number of the call, which is unique in this process.
    pub fn number(self) -> u64 {
        self.number.get()
    }

    /// Returns the number of the call that made this one, or `None` if the program itself made it.
    pub fn parent(self) -> Option<u64> {
        self.parent.map(NonZeroU64::get)
    }
}

impl PartialEq for CallId {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for CallId {}

impl Hash for CallId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)
    }
}

impl fmt::Debug for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parent {
            Some(parent) => write!(f, "{} in {parent}", self.number),
            None => write!(f, "{}", self.number),
        }
    }
}
