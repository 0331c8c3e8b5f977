//! Contents of files that are read when they are first used, such as files of a server.

use std::sync::{Arc, OnceLock};

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
