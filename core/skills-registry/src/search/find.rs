//! Finds the skills that match a query, with a score for each.

use super::distance::Mistyped;
use super::stem::stem;
use super::terms::{is_empty, words};
use super::vocabulary::{IMPACT_BITS, Vocabulary};
use super::write::rarity;
use crate::layout::header;
use crate::tables::Tables;

/// The maximum number of query terms; further ones are ignored.
const MOST_TERMS: usize = 32;
/// The weight of a term that was matched by correcting a typo.
const MENDED: f32 = 0.7;
/// The maximum number of terms to compare with a mistyped one.
const MOST_LOOKED_AT: u32 = 4096;
/// The largest impact of a posting.
const FULL: u32 = (1 << IMPACT_BITS) - 1;

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

/// Calls `each` with the row and score of every skill that has a word of the query, in row order.
pub(super) fn find(tables: &Tables, query: &str, each: &mut dyn FnMut(u32, f32)) {
    let words = tables.rows_from(tables.word(header::AT_SEARCH));
    let vocabulary = Vocabulary { words, text: tables.text_bytes(header::SEARCH_TERMS) };
    let mut cursors = [Cursor::default(); MOST_TERMS];
    let open = open(vocabulary, query, &mut cursors);
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

/// Opens the postings of each distinct term.
fn open(vocabulary: Vocabulary<'_>, query: &str, cursors: &mut [Cursor; MOST_TERMS]) -> usize {
    let mut opened = [u32::MAX; MOST_TERMS];
    let mut count = 0;
    words(query, &mut |word| {
        if count == MOST_TERMS || is_empty(word) {
            return;
        }
        let length = stem(word);
        let Some((term, factor)) = meant(vocabulary, &word[..length]) else { return };
        if opened[..count].contains(&term) {
            return;
        }
        let (at, end) = vocabulary.postings(term);
        let weight = factor * rarity(vocabulary.documents() as f32, end.saturating_sub(at) as f32);
        let mut cursor = Cursor { at, end, weight, ..Cursor::default() };
        settle(vocabulary, &mut cursor);
        cursors[count] = cursor;
        opened[count] = term;
        count += 1;
    });
    count
}

fn settle(vocabulary: Vocabulary<'_>, cursor: &mut Cursor) {
    let posting = if cursor.at < cursor.end { vocabulary.get(cursor.at) } else { None };
    cursor.posting = posting.unwrap_or_default();
    cursor.row = posting.map_or(u32::MAX, |posting| posting >> IMPACT_BITS);
}

/// Returns the term of a word, or the nearest term with the same first letter.
fn meant(vocabulary: Vocabulary<'_>, word: &[u8]) -> Option<(u32, f32)> {
    let exact = vocabulary.lower_bound(word);
    if exact < vocabulary.terms() && vocabulary.term(exact) == word {
        return Some((exact, 1.0));
    }
    if !word.is_ascii() || word.len() < 4 {
        return None;
    }
    let limit = if word.len() < 7 { 1 } else { 2 };
    let first = word.get(..1)?;
    let start = vocabulary.lower_bound(first);
    let mistyped = Mistyped::new(word, limit);
    let mut best: Option<(usize, u32, u32)> = None;
    for term in start..vocabulary.terms().min(start.saturating_add(MOST_LOOKED_AT)) {
        let other = vocabulary.term(term);
        if !other.starts_with(first) {
            break;
        }
        let Some(distance) = mistyped.distance(other) else { continue };
        let (at, end) = vocabulary.postings(term);
        // Of two equally near terms, prefer the one that more skills have.
        let found = (distance, u32::MAX - end.saturating_sub(at), term);
        if best.is_none_or(|best| found < best) {
            best = Some(found);
        }
    }
    best.map(|(_, _, term)| (term, MENDED))
}
