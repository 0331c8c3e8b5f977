//! The bytes of a registry, compiled in or built at run time, and the read functions that all handles use.
//!
//! Every read checks its bounds and falls back to an empty value, so rows with any content are safe to read.
//! Texts are checked to be UTF-8 when they are read, which is a few kilobytes at most. They are not stored as
//! a `str`, since rustc processes one large byte array two to three times as fast as one large text.

use std::sync::OnceLock;

use crate::late::Pieces;
use crate::layout::{NONE, file, header};
use crate::search::SearchIndex;

/// The data of a registry: pieces of bytes, and the rows that refer to them.
pub struct Tables(Form);

enum Form {
    Fixed { pieces: &'static [&'static [u8]], rows: &'static [u8] },
    Owned { bytes: Vec<u8>, rows: Vec<u8>, first_use: Option<FirstUse>, pieces: Option<Pieces> },
}

/// Data that is computed on first use.
struct FirstUse {
    digest: fn(&[u8]) -> [u8; 32],
    /// The digest of each file.
    digests: Box<[OnceLock<[u8; 32]>]>,
    index: OnceLock<SearchIndex>,
}

impl Tables {
    /// Creates tables that are compiled into the program. Called by generated code.
    ///
    /// The rows refer to the pieces by position.
    pub const fn fixed(pieces: &'static [&'static [u8]], rows: &'static [u8]) -> Self {
        Self(Form::Fixed { pieces, rows })
    }

    /// Creates tables of one piece that were built at run time or read from files.
    pub fn owned(bytes: Vec<u8>, rows: Vec<u8>) -> Self {
        Self(Form::Owned { bytes, rows, first_use: None, pieces: None })
    }

    /// Creates tables whose file contents are separate, and may be read when they are first used.
    pub(crate) fn late(bytes: Vec<u8>, rows: Vec<u8>, pieces: Pieces) -> Self {
        Self(Form::Owned { bytes, rows, first_use: None, pieces: Some(pieces) })
    }

    /// Creates tables of one piece whose file digests and search index are computed on first use.
    pub(crate) fn lazy(bytes: Vec<u8>, rows: Vec<u8>, digest: fn(&[u8]) -> [u8; 32]) -> Self {
        let tables = Self::owned(bytes, rows);
        let files = tables.word(header::AT_TEXTS).saturating_sub(tables.word(header::AT_FILES)) / file::WIDTH;
        let digests = (0..files).map(|_| OnceLock::new()).collect();
        let Form::Owned { bytes, rows, .. } = tables.0 else { return tables };
        let first_use = Some(FirstUse { digest, digests, index: OnceLock::new() });
        Self(Form::Owned { bytes, rows, first_use, pieces: None })
    }

    /// Returns the digest of the file whose row is at `at`.
    pub(crate) fn digest(&self, at: u32) -> &[u8; 32] {
        if let Form::Owned { first_use: Some(FirstUse { digest, digests, .. }), .. } = &self.0 {
            let file = at.saturating_sub(self.word(header::AT_FILES)) / file::WIDTH;
            if let Some(known) = usize::try_from(file).ok().and_then(|file| digests.get(file)) {
                return known.get_or_init(|| digest(self.content(at.saturating_add(file::CONTENT))));
            }
        }
        self.words(at.saturating_add(file::SHA256)).unwrap_or(&[0; 32])
    }

    /// Returns the search index, if it is computed on first use and is not in the rows.
    pub(crate) fn late_index(&self) -> Option<&SearchIndex> {
        match &self.0 {
            Form::Owned { first_use: Some(first_use), .. } => {
                Some(first_use.index.get_or_init(|| SearchIndex::from_tables(self)))
            }
            _ => None,
        }
    }

    /// Returns a word of the rows, or zero after their end.
    pub(crate) fn word(&self, at: u32) -> u32 {
        self.words(at).map_or(0, |bytes: &[u8; 4]| u32::from_le_bytes(*bytes))
    }

    /// Returns the `N` bytes of the rows that begin at a word.
    pub(crate) fn words<const N: usize>(&self, at: u32) -> Option<&[u8; N]> {
        let start = usize::try_from(at).ok()?.checked_mul(4)?;
        self.rows().get(start..)?.first_chunk()
    }

    /// Returns the number of words in the rows.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.rows().len() / 4).unwrap_or(u32::MAX)
    }

    /// Returns the text that two words at `at` refer to.
    pub(crate) fn text(&self, at: u32) -> &str {
        self.optional_text(at).unwrap_or_default()
    }

    /// Returns the text that two words at `at` refer to, or `None` if it is absent.
    pub(crate) fn optional_text(&self, at: u32) -> Option<&str> {
        (self.word(at) != NONE).then(|| utf8(self.text_bytes(at)))
    }

    /// Returns the bytes of the text that two words at `at` refer to.
    pub(crate) fn text_bytes(&self, at: u32) -> &[u8] {
        slice(self.piece(0), self.word(at), self.word(at.saturating_add(1)))
    }

    /// Returns the bytes that three words at `at` refer to.
    pub(crate) fn content(&self, at: u32) -> &[u8] {
        let [piece, start, len] = [0, 1, 2].map(|word| self.word(at.saturating_add(word)));
        // Words outside of the rows of files belong to the body or the prompt of a skill.
        let is_in_file = (self.word(header::AT_FILES)..self.word(header::AT_TEXTS)).contains(&at);
        match self.late_piece(piece).and_then(|(pieces, piece)| pieces.get(piece)) {
            // The rows have the places of a placeholder.
            Some((bytes, Some(_))) if is_in_file => bytes,
            Some((_, Some(late))) => late.body.as_bytes(),
            Some((bytes, None)) => slice(bytes, start, len),
            None => slice(self.piece(piece), start, len),
        }
    }

    /// Returns the size of the contents that three words at `at` refer to, without reading them.
    pub(crate) fn content_size(&self, at: u32) -> u32 {
        let late = self.late_piece(self.word(at)).and_then(|(pieces, piece)| pieces.size(piece));
        late.unwrap_or_else(|| self.word(at.saturating_add(2)))
    }

    /// Returns the reason if the contents of a file could not be read.
    pub(crate) fn content_fault(&self, at: u32) -> Option<&str> {
        let (pieces, piece) = self.late_piece(self.word(at))?;
        let (_, late) = pieces.get(piece)?;
        late.filter(|late| late.is_fault).map(|late| late.body.as_str())
    }

    fn late_piece(&self, piece: u32) -> Option<(&Pieces, usize)> {
        let Form::Owned { pieces: Some(pieces), .. } = &self.0 else { return None };
        Some((pieces, usize::try_from(piece.checked_sub(1)?).ok()?))
    }

    /// Returns all bytes of the rows that begin at a word.
    pub(crate) fn rows_from(&self, at: u32) -> &[u8] {
        usize::try_from(at).ok().and_then(|at| self.rows().get(at.checked_mul(4)?..)).unwrap_or_default()
    }

    fn rows(&self) -> &[u8] {
        match &self.0 {
            Form::Fixed { rows, .. } => rows,
            Form::Owned { rows, .. } => rows,
        }
    }

    fn piece(&self, piece: u32) -> &[u8] {
        match &self.0 {
            Form::Fixed { pieces, .. } => {
                usize::try_from(piece).ok().and_then(|piece| pieces.get(piece)).copied().unwrap_or_default()
            }
            Form::Owned { bytes, .. } if piece == 0 => bytes,
            Form::Owned { .. } => &[],
        }
    }
}

/// Returns bytes as text, or an empty text if they are not UTF-8.
pub(crate) fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

fn slice(bytes: &[u8], start: u32, len: u32) -> &[u8] {
    let range = || {
        let start = usize::try_from(start).ok()?;
        Some(start..start.checked_add(usize::try_from(len).ok()?)?)
    };
    range().and_then(|range| bytes.get(range)).unwrap_or_default()
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Tables").finish_non_exhaustive()
    }
}
