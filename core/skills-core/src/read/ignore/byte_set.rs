//! A set of bytes, such as `[a-z]` in a pattern.

/// A set of bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Set(Box<[u64; 4]>);

impl Set {
    pub(super) fn add(&mut self, byte: u8) {
        let (word, bit) = (usize::from(byte / 64), byte % 64);
        self.0[word] |= 1 << bit;
    }

    pub(super) fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] >> (byte % 64) & 1 == 1
    }

    pub(super) fn negate(&mut self) {
        self.0.iter_mut().for_each(|word| *word = !*word);
    }
}
