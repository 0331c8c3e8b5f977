//! Indexes the lines and characters of a text, so that the position of any offset is found equally fast.

use super::Position;

/// The block size in bytes; characters are counted up to the start of each block.
const BLOCK: usize = 256;

/// The starts of lines, and the number of characters before each block.
#[derive(Clone, Debug, Default)]
pub(super) struct LineIndex {
    /// The offset of each line except the first.
    lines: Vec<usize>,
    /// The number of characters before each block.
    chars: Vec<usize>,
}

impl LineIndex {
    pub(super) fn new(text: &str) -> Self {
        let lines = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        let mut before = 0;
        let blocks = text.as_bytes().chunks(BLOCK).map(|block| {
            let here = before;
            before += count(block);
            here
        });
        Self { lines, chars: blocks.collect() }
    }

    /// Returns the position of an offset in the text from which the index was made.
    pub(super) fn position(&self, text: &str, offset: usize) -> Position {
        let (line, start) = self.line(text, offset);
        let column = self.chars_before(text, offset) - self.chars_before(text, start.min(offset)) + 1;
        Position { line, column }
    }

    /// Returns the line number of an offset, and the start of the line's text.
    pub(super) fn line(&self, text: &str, offset: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = match line.checked_sub(1).and_then(|line| self.lines.get(line)) {
            Some(start) => *start,
            None if text.starts_with('\u{feff}') => '\u{feff}'.len_utf8(),
            None => 0,
        };
        (line + 1, start)
    }

    fn chars_before(&self, text: &str, offset: usize) -> usize {
        let block = offset / BLOCK;
        let whole = self.chars.get(block).copied();
        let from = if whole.is_some() { block * BLOCK } else { (self.chars.len().max(1) - 1) * BLOCK };
        let whole = whole.or(self.chars.last().copied()).unwrap_or(0);
        whole + count(&text.as_bytes()[from..offset])
    }
}

/// Counts the characters that begin in these bytes of a text.
fn count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}
