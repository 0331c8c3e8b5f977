//! Numbers calls, so that the events of each can be told apart.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicU64, Ordering};

/// Names one call of a skill among all that this process makes, and the call that made it.
///
/// Every event of a call carries it, so that calls of one skill that run at once can be told apart. It is a counter:
/// it says nothing about other processes, and holds no memory.
#[derive(Clone, Copy)]
pub struct CallId {
    number: NonZeroU64,
    parent: Option<NonZeroU64>,
    /// The step of the pipeline around it.
    step: Option<u32>,
    /// The step that calls are made for, of the pipeline that has this id.
    below: Option<u32>,
}

impl CallId {
    /// Makes the id of a call that another one makes, or of one at the top.
    pub fn below(parent: Option<Self>) -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        // No process makes 2^64 calls.
        let number = LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        Self {
            number: NonZeroU64::new(number).unwrap_or(NonZeroU64::MIN),
            parent: parent.map(|parent| parent.number),
            step: parent.and_then(|parent| parent.below),
            below: None,
        }
    }

    /// Returns the id of a pipeline for calls that a step of it makes.
    pub fn for_step(self, step: usize) -> Self {
        Self { below: u32::try_from(step).ok(), ..self }
    }

    /// Returns the place of the step in the file of the pipeline around the call, from 0; nothing for a call that no step
    /// makes.
    pub fn step(self) -> Option<u32> {
        self.step
    }

    /// Returns the number of the call; no other call of this process has it.
    pub fn number(self) -> u64 {
        self.number.get()
    }

    /// Returns the number of the call that made this one; nothing for one that the program made.
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
