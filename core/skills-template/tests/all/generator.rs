//! A pseudo-random number generator with the same sequence in every run.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

/// The state of the generator; it must not be 0.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % n
    }
}
