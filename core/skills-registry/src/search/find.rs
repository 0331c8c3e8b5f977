//! Finds the skills that match a query, with a score for each.

use skills_text::edit_distance;

use super::stem::stem;
use super::terms::{LONGEST, is_empty, words};
use super::vocabulary::{IMPACT_BITS, Vocabulary};
use super::write::rarity;

/// The maximum number of query terms; further ones are ignored.
const MAX_TERMS: usize = 32;
/// The weight of a term that was matched by correcting a typo.
const CORRECTED: f32 = 0.7;
/// The maximum number of terms that are compared with a mistyped term.
const MAX_COMPARED: u32 = 4096;
/// The largest impact of a posting.
const FULL: u32 = (1 << IMPACT_BITS) - 1;

/// A term of a query.
#[derive(Clone, Copy, Default)]
struct Term<'a> {
    text: &'a [u8],
    /// The weight of the term: the rarer it is among all searched skills, the larger. It is reduced for a
    /// corrected typo.
    weight: f32,
}

/// The distinct terms of a query.
pub(super) struct Query<'a> {
    terms: [Term<'a>; MAX_TERMS],
    count: usize,
}

/// The remaining postings of one term.
#[derive(Clone, Copy, Default)]
struct Cursor {
    at: u32,
    end: u32,
    /// The posting at `at`.
    posting: u32,
    /// The row of its skill, or `u32::MAX` at the end.
    row: u32,
    weight: f32,
}

impl<'a> Query<'a> {
    /// Looks up the words of a query in all tables that will be searched, so that a word has the same weight
    /// in each table and scores from different tables can be compared.
    pub(super) fn new(all: &[Vocabulary<'a>], query: &str) -> Self {
        let documents: f32 = all.iter().map(|vocabulary| vocabulary.documents() as f32).sum();
        let mut asked = Self { terms: [Term::default(); MAX_TERMS], count: 0 };
        words(query, &mut |word| {
            if asked.count == MAX_TERMS || is_empty(word) {
                return;
            }
            let length = stem(word);
            let Some((text, factor)) = corrected(all, &word[..length]) else { return };
            if asked.terms[..asked.count].iter().any(|term| term.text == text) {
                return;
            }
            let number = |vocabulary: &Vocabulary<'_>| {
                let (at, end) = vocabulary.postings(vocabulary.find(text)?);
                Some(end.saturating_sub(at) as f32)
            };
            let frequency = all.iter().filter_map(number).sum();
            asked.terms[asked.count] = Term { text, weight: factor * rarity(documents, frequency) };
            asked.count += 1;
        });
        asked
    }

    /// Calls `each` with the row and score of every skill of a table that has a term of the query, in row order.
    pub(super) fn find(&self, vocabulary: Vocabulary<'_>, each: &mut dyn FnMut(u32, f32)) {
        let mut cursors = [Cursor::default(); MAX_TERMS];
        let mut open = 0;
        for term in &self.terms[..self.count] {
            let Some(number) = vocabulary.find(term.text) else { continue };
            let (at, end) = vocabulary.postings(number);
            cursors[open] = Cursor { at, end, weight: term.weight, ..Cursor::default() };
            settle(vocabulary, &mut cursors[open]);
            open += 1;
        }
        let cursors = &mut cursors[..open];
        let mut row = cursors.iter().map(|cursor| cursor.row).min().unwrap_or(u32::MAX);
        while row != u32::MAX {
            let (mut score, mut next) = (0.0, u32::MAX);
            for cursor in cursors.iter_mut() {
                if cursor.row == row {
                    score += cursor.weight * (cursor.posting & FULL) as f32;
                    cursor.at += 1;
                    settle(vocabulary, cursor);
                }
                next = next.min(cursor.row);
            }
            each(row, score / FULL as f32);
            row = next;
        }
    }
}

fn settle(vocabulary: Vocabulary<'_>, cursor: &mut Cursor) {
    let posting = if cursor.at < cursor.end { vocabulary.get(cursor.at) } else { None };
    cursor.posting = posting.unwrap_or_default();
    cursor.row = posting.map_or(u32::MAX, |posting| posting >> IMPACT_BITS);
}

/// Returns the term of a word, or the nearest term with the same first letter.
fn corrected<'a>(all: &[Vocabulary<'a>], word: &[u8]) -> Option<(&'a [u8], f32)> {
    let exact = all.iter().find_map(|vocabulary| Some(vocabulary.term(vocabulary.find(word)?)));
    if let Some(exact) = exact {
        return Some((exact, 1.0));
    }
    if !word.is_ascii() || word.len() < 4 {
        return None;
    }
    let limit = if word.len() < 7 { 1 } else { 2 };
    let first = word.get(..1)?;
    let mistyped = Mistyped::new(word, limit);
    let mut best: Option<(usize, u32, &[u8])> = None;
    for vocabulary in all {
        let start = vocabulary.lower_bound(first);
        for term in start..vocabulary.terms().min(start.saturating_add(MAX_COMPARED)) {
            let other = vocabulary.term(term);
            if !other.starts_with(first) {
                break;
            }
            let Some(distance) = mistyped.distance(other) else { continue };
            let (at, end) = vocabulary.postings(term);
            // If two terms are equally near, prefer the term that more skills have.
            let found = (distance, u32::MAX - end.saturating_sub(at), other);
            if best.is_none_or(|best| found < best) {
                best = Some(found);
            }
        }
    }
    best.map(|(_, _, term)| (term, CORRECTED))
}

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
