//! The layout of a search index, and its sorted terms.

use crate::rows::{self, Row};
use crate::tables::Tables;
use skills_text::lower_bound;

/// Words of the header.
pub(super) const DOCUMENTS: u32 = 0;
pub(super) const TERMS: u32 = 1;
pub(super) const HEADER: u32 = 2;
/// Words of a term: the positions of its text and its postings. A final row holds the end positions.
pub(super) const ROW: u32 = 2;
/// A posting is one word: the skill in the high bits, and the term's contribution in this many low bits.
pub(super) const IMPACT_BITS: u32 = 10;
/// The maximum number of skills that a posting can refer to.
pub(super) const MAX_DOCUMENTS: usize = 1 << (32 - IMPACT_BITS);

/// The words of an index, and the text of its terms.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vocabulary<'a> {
    pub(super) words: &'a [u8],
    pub(super) text: &'a [u8],
}

impl<'a> Vocabulary<'a> {
    pub(super) fn from_tables(tables: &'a Tables) -> Self {
        if let Some(index) = tables.late_index() {
            return Self { words: &index.words, text: index.terms.as_bytes() };
        }
        let words = tables.rows_from(Row::header(tables).get(rows::HEADER.search));
        Self { words, text: tables.text_bytes(rows::HEADER.search_terms.position(0)) }
    }

    /// Returns the word at a position, or 0 outside the index.
    pub(super) fn word(self, at: u32) -> u32 {
        self.get(at).unwrap_or_default()
    }

    /// Returns the word at a position, or `None` outside the index.
    pub(super) fn get(self, at: u32) -> Option<u32> {
        let start = at as usize * 4;
        Some(u32::from_le_bytes(self.words.get(start..start.checked_add(4)?)?.try_into().ok()?))
    }

    pub(super) fn documents(self) -> u32 {
        self.word(DOCUMENTS)
    }

    /// Returns the number of terms, limited to the size of the index.
    pub(super) fn terms(self) -> u32 {
        self.word(TERMS).min(u32::try_from(self.words.len() / 8).unwrap_or(u32::MAX))
    }

    pub(super) fn term(self, number: u32) -> &'a [u8] {
        let row = HEADER.saturating_add(number.saturating_mul(ROW));
        self.text
            .get(self.word(row) as usize..self.word(row.saturating_add(ROW)) as usize)
            .unwrap_or_default()
    }

    /// Returns the start and end of a term's postings, as word positions.
    pub(super) fn postings(self, number: u32) -> (u32, u32) {
        let row = HEADER.saturating_add(number.saturating_mul(ROW)).saturating_add(1);
        let base = HEADER.saturating_add(self.terms().saturating_add(1).saturating_mul(ROW));
        (base.saturating_add(self.word(row)), base.saturating_add(self.word(row.saturating_add(ROW))))
    }

    /// Returns the first term that is not less than `text`.
    pub(super) fn lower_bound(self, text: &[u8]) -> u32 {
        lower_bound(self.terms(), |term| self.term(term) < text)
    }

    pub(super) fn find(self, text: &[u8]) -> Option<u32> {
        let number = self.lower_bound(text);
        (number < self.terms() && self.term(number) == text).then_some(number)
    }
}
