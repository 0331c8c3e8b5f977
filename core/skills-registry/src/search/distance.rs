//! Edit distance between words: to correct mistyped search terms.

use skills_text::edit_distance;

use super::terms::LONGEST;

/// A mistyped term, prepared for comparison with others.
#[derive(Clone, Copy)]
pub(super) struct Mistyped<'a> {
    term: &'a [u8],
    letters: u64,
    limit: usize,
}

impl<'a> Mistyped<'a> {
    pub(super) fn new(term: &'a [u8], limit: usize) -> Self {
        Self { term, letters: letters(term), limit }
    }

    /// Returns the number of edits (a letter missing, added, changed or swapped with its neighbour) between
    /// the terms, if it is within the limit.
    pub(super) fn distance(self, other: &[u8]) -> Option<usize> {
        if self.term.len().abs_diff(other.len()) > self.limit {
            return None;
        }
        // Each edit changes at most one letter on each side. This quick test rejects most terms.
        let letters = letters(other);
        let more = (self.letters & !letters).count_ones().max((letters & !self.letters).count_ones());
        if more as usize > self.limit {
            return None;
        }
        let cost = |left, right| if left == right { 0 } else { 2 };
        edit_distance::<{ LONGEST + 1 }, u8>(self.term, other, self.limit * 2, cost).map(|half| half / 2)
    }
}

/// Returns the set of letters in a word as bits; two letters may share a bit.
fn letters(word: &[u8]) -> u64 {
    word.iter().fold(0, |letters, byte| letters | 1 << (byte & 63))
}

#[cfg(test)]
mod tests {
    use super::Mistyped;

    fn within(a: &[u8], b: &[u8], limit: usize) -> Option<usize> {
        Mistyped::new(a, limit).distance(b)
    }

    // SPEC 16.1
    #[test]
    fn letters_are_missing_added_changed_or_exchanged() {
        assert_eq!(within(b"summar", b"sumar", 1), Some(1));
        assert_eq!(within(b"extract", b"exrtact", 1), Some(1));
        assert_eq!(within(b"extract", b"abstract", 2), None);
        assert_eq!(within(b"deploy", b"depoly", 1), Some(1));
        assert_eq!(within(b"same", b"same", 0), Some(0));
        assert_eq!(within(b"", b"ab", 2), Some(2));
        assert_eq!(within(b"aab", b"abb", 1), Some(1));
        assert_eq!(within(b"abcdef", b"abxyef", 2), Some(2));
        assert_eq!(within(b"abcdef", b"abxyzf", 2), None);
        assert_eq!(within(&[b'a'; 40], &[b'a'; 39], 1), Some(1));
        assert_eq!(within(&[b'a'; 40], &[b'a'; 41], 1), None);
    }
}
