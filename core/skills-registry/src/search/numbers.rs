//! Numbers the terms of words: each word form is stemmed once and then found by its hash.

use super::stem::stem;
use super::terms::{LONGEST, is_empty};

/// The number of a stop word.
const NOTHING: u32 = u32::MAX;
/// A free slot.
const FREE: u32 = u32::MAX;

/// A hash table of the words seen so far. A `HashMap` would be compiled without optimisation in the user's
/// build script, and would cost more than the rest of indexing.
#[derive(Default)]
pub(super) struct Numbers {
    /// Rows by the hash of their words; the length is a power of two.
    slots: Vec<u32>,
    rows: Vec<KnownTerm>,
    bytes: Vec<u8>,
    terms: u32,
}

/// A word and the number of its term.
struct KnownTerm {
    hash: u32,
    start: u32,
    end: u32,
    term: u32,
    /// Whether it is the term itself.
    is_term: bool,
}

impl Numbers {
    /// Returns the number of a word's term, counted from 0, or `None` for a stop word.
    pub(super) fn number(&mut self, word: &[u8]) -> Option<u32> {
        let term = match self.find(word) {
            Ok(row) => self.rows[row].term,
            Err(hash) => self.learn(word, hash),
        };
        (term != NOTHING).then_some(term)
    }

    fn learn(&mut self, word: &[u8], hash: u32) -> u32 {
        if is_empty(word) {
            self.add(word, hash, NOTHING, false);
            return NOTHING;
        }
        let mut stemmed = [0; LONGEST];
        stemmed[..word.len()].copy_from_slice(word);
        let length = stem(&mut stemmed[..word.len()]);
        let stemmed = &stemmed[..length];
        let term = match self.find(stemmed) {
            // The word is also the stem of another word, or its own stem is also a word. From now on it is a
            // separate term.
            Ok(row) if stemmed != word || self.rows[row].is_term => {
                if !self.rows[row].is_term {
                    self.rows[row].is_term = true;
                    self.rows[row].term = self.next_number();
                }
                self.rows[row].term
            }
            _ => {
                let number = self.next_number();
                self.add(stemmed, hash_of(stemmed), number, true);
                number
            }
        };
        if stemmed != word {
            self.add(word, hash, term, false);
        }
        term
    }

    fn next_number(&mut self) -> u32 {
        self.terms += 1;
        self.terms - 1
    }

    /// Returns the row of a word, or its hash if it is not in the table.
    fn find(&self, word: &[u8]) -> Result<usize, u32> {
        let hash = hash_of(word);
        let Some(mask) = self.slots.len().checked_sub(1) else { return Err(hash) };
        let mut slot = hash as usize & mask;
        while self.slots[slot] != FREE {
            let row = self.slots[slot] as usize;
            let known = &self.rows[row];
            if known.hash == hash && self.bytes[known.start as usize..known.end as usize] == *word {
                return Ok(row);
            }
            slot = (slot + 1) & mask;
        }
        Err(hash)
    }

    fn add(&mut self, word: &[u8], hash: u32, term: u32, is_term: bool) {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(word);
        self.rows.push(KnownTerm { hash, start, end: self.bytes.len() as u32, term, is_term });
        if self.rows.len() * 2 > self.slots.len() {
            self.slots = vec![FREE; (self.rows.len() * 4).next_power_of_two()];
            for row in 0..self.rows.len() {
                self.place(row);
            }
        } else {
            self.place(self.rows.len() - 1);
        }
    }

    fn place(&mut self, row: usize) {
        let mask = self.slots.len() - 1;
        let mut slot = self.rows[row].hash as usize & mask;
        while self.slots[slot] != FREE {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = row as u32;
    }

    /// Returns the terms in order, each with its number.
    pub(super) fn sorted(&self) -> Vec<(&str, u32)> {
        let text =
            |known: &KnownTerm| std::str::from_utf8(&self.bytes[known.start as usize..known.end as usize]);
        let terms = self.rows.iter().filter(|known| known.is_term);
        let mut terms: Vec<(&str, u32)> =
            terms.map(|known| (text(known).unwrap_or_default(), known.term)).collect();
        skills_text::sort(&mut terms, &|a, b| a.cmp(b));
        terms
    }
}

fn hash_of(word: &[u8]) -> u32 {
    let (mut hash, mut at) = (0x811c_9dc5_u32, 0);
    while at < word.len() {
        hash = (hash ^ word[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash ^ (hash >> 15)
}
