//! Where each number of an index lies, and its terms, in order.

use crate::order;

/// Words of the header.
pub(super) const DOCUMENTS: u32 = 0;
pub(super) const TERMS: u32 = 1;
pub(super) const HEADER: u32 = 2;
/// Words of a term: where its text and its postings begin. A last row says where they end.
pub(super) const ROW: u32 = 2;
/// A posting is one word: the skill, and below it what the term adds there.
pub(super) const IMPACT_BITS: u32 = 10;
/// Skills that a posting can name.
pub(super) const MOST_DOCUMENTS: usize = 1 << (32 - IMPACT_BITS);

/// The words of an index, and the text of its terms.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vocabulary<'a> {
    pub(super) words: &'a [u8],
    pub(super) text: &'a [u8],
}

impl<'a> Vocabulary<'a> {
    /// The word at a place; 0 outside.
    pub(super) fn word(self, at: u32) -> u32 {
        self.get(at).unwrap_or_default()
    }

    /// The word at a place, where there is one.
    pub(super) fn get(self, at: u32) -> Option<u32> {
        let start = at as usize * 4;
        Some(u32::from_le_bytes(self.words.get(start..start.checked_add(4)?)?.try_into().ok()?))
    }

    pub(super) fn documents(self) -> u32 {
        self.word(DOCUMENTS)
    }

    /// How many terms there are; never more than there is room for.
    pub(super) fn terms(self) -> u32 {
        self.word(TERMS).min(u32::try_from(self.words.len() / 8).unwrap_or(u32::MAX))
    }

    /// The text of a term.
    pub(super) fn term(self, number: u32) -> &'a [u8] {
        let row = HEADER.saturating_add(number.saturating_mul(ROW));
        self.text
            .get(self.word(row) as usize..self.word(row.saturating_add(ROW)) as usize)
            .unwrap_or_default()
    }

    /// Where the postings of a term begin and end, as places of words.
    pub(super) fn postings(self, number: u32) -> (u32, u32) {
        let row = HEADER.saturating_add(number.saturating_mul(ROW)).saturating_add(1);
        let base = HEADER.saturating_add(self.terms().saturating_add(1).saturating_mul(ROW));
        (base.saturating_add(self.word(row)), base.saturating_add(self.word(row.saturating_add(ROW))))
    }

    /// The first term that is not before `text`.
    pub(super) fn lower_bound(self, text: &[u8]) -> u32 {
        order::lower_bound(self.terms(), |term| self.term(term) < text)
    }
}
