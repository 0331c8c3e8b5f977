//! The bytes of a registry, compiled in or made at run time, and the few reads that all handles are built from.
//!
//! Every read checks its bounds and falls back to an empty value, so rows of any content are safe to read.

use crate::layout::NONE;

/// The data of a registry: texts, bytes, and the rows that refer to them.
pub struct Tables(Form);

enum Form {
    Fixed { texts: &'static [&'static str], bytes: &'static [&'static [u8]], rows: &'static [u8] },
    Owned { text: String, bytes: Vec<u8>, rows: Vec<u8> },
}

impl Tables {
    /// Names tables that are part of the program: what generated code calls.
    ///
    /// The rows refer to `texts` and `bytes` by position.
    pub const fn fixed(
        texts: &'static [&'static str],
        bytes: &'static [&'static [u8]],
        rows: &'static [u8],
    ) -> Self {
        Self(Form::Fixed { texts, bytes, rows })
    }

    /// Takes tables that were made at run time, or read back from a file.
    pub fn owned(text: String, bytes: Vec<u8>, rows: Vec<u8>) -> Self {
        Self(Form::Owned { text, bytes, rows })
    }

    /// Returns a word of the rows; zero behind their end.
    pub(crate) fn word(&self, at: u32) -> u32 {
        self.words(at).map_or(0, |bytes: &[u8; 4]| u32::from_le_bytes(*bytes))
    }

    /// Returns `N` bytes of the rows from a word on.
    pub(crate) fn words<const N: usize>(&self, at: u32) -> Option<&[u8; N]> {
        let start = usize::try_from(at).ok()?.checked_mul(4)?;
        self.rows().get(start..)?.first_chunk()
    }

    /// Returns how many words the rows have.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.rows().len() / 4).unwrap_or(u32::MAX)
    }

    /// Returns the text that two words from `at` on name.
    pub(crate) fn text(&self, at: u32) -> &str {
        self.optional_text(at).unwrap_or_default()
    }

    /// Returns the text that two words from `at` on name, unless they say that there is none.
    pub(crate) fn optional_text(&self, at: u32) -> Option<&str> {
        let start = self.word(at);
        if start == NONE {
            return None;
        }
        Some(slice(self.text_piece(0), start, self.word(at.saturating_add(1))))
    }

    /// Returns the text that three words from `at` on name.
    pub(crate) fn text_content(&self, at: u32) -> &str {
        let (piece, start, len) = self.place(at);
        slice(self.text_piece(piece), start, len)
    }

    /// Returns the bytes that three words from `at` on name.
    pub(crate) fn bytes_content(&self, at: u32) -> &[u8] {
        let (piece, start, len) = self.place(at);
        range(start, len).and_then(|range| self.bytes_piece(piece).get(range)).unwrap_or_default()
    }

    fn place(&self, at: u32) -> (u32, u32, u32) {
        (self.word(at), self.word(at.saturating_add(1)), self.word(at.saturating_add(2)))
    }

    fn rows(&self) -> &[u8] {
        match &self.0 {
            Form::Fixed { rows, .. } => rows,
            Form::Owned { rows, .. } => rows,
        }
    }

    fn text_piece(&self, piece: u32) -> &str {
        match &self.0 {
            Form::Fixed { texts, .. } => {
                usize::try_from(piece).ok().and_then(|piece| texts.get(piece)).copied().unwrap_or_default()
            }
            Form::Owned { text, .. } if piece == 0 => text,
            Form::Owned { .. } => "",
        }
    }

    fn bytes_piece(&self, piece: u32) -> &[u8] {
        match &self.0 {
            Form::Fixed { bytes, .. } => {
                usize::try_from(piece).ok().and_then(|piece| bytes.get(piece)).copied().unwrap_or_default()
            }
            Form::Owned { bytes, .. } if piece == 0 => bytes,
            Form::Owned { .. } => &[],
        }
    }
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Tables").finish_non_exhaustive()
    }
}

fn slice(text: &str, start: u32, len: u32) -> &str {
    range(start, len).and_then(|range| text.get(range)).unwrap_or_default()
}

fn range(start: u32, len: u32) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(start).ok()?;
    Some(start..start.checked_add(usize::try_from(len).ok()?)?)
}
