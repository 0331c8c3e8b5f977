//! The bytes of a registry, compiled in or built at run time, and the read functions that all handles use.
//!
//! Every read checks its bounds and falls back to an empty value, so rows with any content are safe to read.
//! Texts are checked to be UTF-8 when they are read, which is a few kilobytes at most. They are not stored as
//! a `str`, since rustc processes one large byte array two to three times as fast as one large text.

use std::sync::{Arc, OnceLock};

use crate::rows::{Cell, FILE, FileRow, HEADER, NONE, Row};
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
    #[doc(hidden)]
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
        let files = tables.file_words();
        let files = files.end.saturating_sub(files.start) / FileRow::WIDTH;
        let digests = (0..files).map(|_| OnceLock::new()).collect();
        let Form::Owned { bytes, rows, .. } = tables.0 else { return tables };
        let first_use = Some(FirstUse { digest, digests, index: OnceLock::new() });
        Self(Form::Owned { bytes, rows, first_use, pieces: None })
    }

    /// Returns the words of the rows of files.
    fn file_words(&self) -> std::ops::Range<u32> {
        let header = Row::header(self);
        header.get(HEADER.files)..header.get(HEADER.texts)
    }

    /// Returns the digest of the file that has a row.
    pub(crate) fn digest<'t>(&'t self, row: Row<'t>) -> &'t [u8; 32] {
        if let Form::Owned { first_use: Some(FirstUse { digest, digests, .. }), .. } = &self.0 {
            let file = row.position().saturating_sub(self.file_words().start) / FileRow::WIDTH;
            if let Some(known) = usize::try_from(file).ok().and_then(|file| digests.get(file)) {
                return known.get_or_init(|| digest(self.content(FILE.content.position(row.position()))));
            }
        }
        row.get(FILE.sha256)
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
        let is_in_file = self.file_words().contains(&at);
        match self.late_piece(piece).and_then(|(pieces, piece)| pieces.get(piece)) {
            // The rows have no place in a piece that is read late. A file is all its bytes; a body or a prompt is its body.
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
    let rest = usize::try_from(start).ok().and_then(|start| bytes.get(start..));
    rest.zip(usize::try_from(len).ok()).and_then(|(rest, len)| rest.get(..len)).unwrap_or_default()
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Tables").finish_non_exhaustive()
    }
}

/// Reads the contents of a file by its number among the files of the tables.
pub type ReadLate = Arc<dyn Fn(usize) -> LateText + Send + Sync>;

/// The contents of a file, as they were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LateText {
    /// The bytes of the file. Empty if it could not be read.
    pub bytes: Vec<u8>,
    /// The body, if the file is a `SKILL.md`. If the file could not be read, this is the reason.
    pub body: String,
    /// Whether the file could not be read.
    pub is_fault: bool,
}

impl LateText {
    /// Creates the contents of a file that cannot be read: empty, with the reason as the body.
    pub fn fault(reason: String) -> Self {
        Self { bytes: Vec::new(), body: reason, is_fault: true }
    }
}

/// One file of tables whose files are separate.
#[derive(Debug)]
pub enum Piece {
    /// Contents that are known.
    Known(Vec<u8>),
    /// The size of contents that are read when they are first used.
    Late(u32),
}

/// The files of tables, some of which are read when they are first used.
pub(crate) struct Pieces {
    pieces: Vec<(Piece, OnceLock<LateText>)>,
    read: ReadLate,
}

impl Pieces {
    pub(crate) fn new(pieces: Vec<Piece>, read: ReadLate) -> Self {
        Self { pieces: pieces.into_iter().map(|piece| (piece, OnceLock::new())).collect(), read }
    }

    /// Returns the contents of a piece and, if it is read late, the text read for it.
    pub(crate) fn get(&self, at: usize) -> Option<(&[u8], Option<&LateText>)> {
        let (piece, late) = self.pieces.get(at)?;
        Some(match piece {
            Piece::Known(bytes) => (bytes, None),
            Piece::Late(_) => {
                let late = late.get_or_init(|| (self.read)(at));
                (&late.bytes, Some(late))
            }
        })
    }

    /// Returns the size of a piece, without reading it.
    pub(crate) fn size(&self, at: usize) -> Option<u32> {
        self.pieces.get(at).and_then(|(piece, _)| match piece {
            Piece::Known(bytes) => u32::try_from(bytes.len()).ok(),
            Piece::Late(size) => Some(*size),
        })
    }
}
