//! Writes the words and the text of tables.

use crate::tables::{Tables, VERSION, header};
use skills_text::Places;

#[derive(Clone)]
pub(super) struct Writer {
    words: Vec<u32>,
    text: String,
    interned: Places,
}

impl Writer {
    pub(super) fn new() -> Self {
        let mut words = vec![0; header::WORDS as usize];
        words[header::VERSION as usize] = VERSION;
        words[header::NO_DEFAULTS as usize] = 1;
        Self { words, text: String::new(), interned: Places::default() }
    }

    pub(super) fn finish(self) -> Tables {
        Tables::from_parts(self.words, self.text)
    }

    /// Returns a length or index as a word. Values that do not fit mean "no limit" everywhere.
    pub(super) fn number(&self, n: usize) -> u32 {
        u32::try_from(n).unwrap_or(u32::MAX)
    }

    /// Reserves `count` words and returns their position.
    pub(super) fn reserve(&mut self, count: u32) -> u32 {
        let at = self.number(self.words.len());
        self.words.resize(self.words.len() + count as usize, 0);
        at
    }

    pub(super) fn append(&mut self, words: &[u32]) -> u32 {
        let at = self.number(self.words.len());
        self.words.extend_from_slice(words);
        at
    }

    pub(super) fn set(&mut self, at: u32, value: u32) {
        if let Some(word) = self.words.get_mut(at as usize) {
            *word = value;
        }
    }

    pub(super) fn get(&self, at: u32) -> u32 {
        self.words.get(at as usize).copied().unwrap_or(0)
    }

    /// Adds text and returns its offset and length. Equal texts are stored once.
    pub(super) fn intern(&mut self, text: &str) -> (u32, u32) {
        let len = self.number(text.len());
        if let Some(offset) = self.interned.get(text) {
            return (self.number(offset), len);
        }
        let offset = self.text.len();
        self.text.push_str(text);
        self.interned.insert(text.to_owned(), offset);
        (self.number(offset), len)
    }

    /// Returns the text, for the pattern compiler, which adds names of properties.
    pub(super) fn text(&mut self) -> &mut String {
        &mut self.text
    }
}
