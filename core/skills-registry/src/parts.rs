//! The written tables: two byte arrays, and the layout of the file contents in them.

use crate::late::{Piece, Pieces, ReadLate};
use crate::layout::header;
use crate::tables::Tables;

/// Where the file contents are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// In the single piece, together with the texts. Identical files are stored once.
    #[default]
    Joined,
    /// In the single piece, without looking for identical files, and without digests and the search index, which
    /// are computed on first use. For [`Parts::into_lazy_tables`].
    Lazy,
    /// In separate pieces that the caller provides. They follow the first piece, which holds the texts, in
    /// the order of the skills sorted by name.
    Separate,
}

/// The written tables.
#[derive(Debug, Default)]
pub struct Parts {
    /// The first piece.
    pub bytes: Vec<u8>,
    /// The rows.
    pub rows: Vec<u8>,
}

impl Parts {
    /// Turns joined parts into tables that own them.
    pub fn into_tables(self) -> Tables {
        Tables::owned(self.bytes, self.rows)
    }

    /// Puts the digest of the bundle into the tables, which [`Registry::digest`](crate::Registry::digest)
    /// returns.
    #[must_use]
    pub fn digested(mut self, digest: &[u8; 32]) -> Self {
        let start = header::DIGEST as usize * 4;
        if let Some(place) = self.rows.get_mut(start..start + digest.len()) {
            place.copy_from_slice(digest);
        }
        self
    }

    /// Adds the facts about the program that contains the skills: its version, and the command that prints a skill. See
    /// [`Registry::program_version`](crate::Registry::program_version) and [`Registry::stub`](crate::Registry::stub).
    ///
    /// # Errors
    /// [`TooLarge`] if an offset does not fit 32 bits.
    pub fn with_program(mut self, version: Option<&str>, stub: Option<&str>) -> Result<Self, TooLarge> {
        for (field, text) in [(header::PROGRAM_VERSION, version), (header::STUB, stub)] {
            let Some(text) = text else { continue };
            let start = u32::try_from(self.bytes.len()).map_err(|_| TooLarge)?;
            let len = u32::try_from(text.len()).map_err(|_| TooLarge)?;
            start.checked_add(len).ok_or(TooLarge)?;
            self.bytes.extend_from_slice(text.as_bytes());
            for (place, word) in [(field, start), (field + 1, len)] {
                let at = place as usize * 4;
                if let Some(place) = self.rows.get_mut(at..at + 4) {
                    place.copy_from_slice(&word.to_le_bytes());
                }
            }
        }
        Ok(self)
    }

    /// Turns parts with the layout [`Lazy`](Layout::Lazy) into tables that own them. `digest` computes the SHA-256
    /// of a file on first use.
    pub fn into_lazy_tables(self, digest: fn(&[u8]) -> [u8; 32]) -> Tables {
        Tables::lazy(self.bytes, self.rows, digest)
    }

    /// Turns parts with the layout [`Separate`](Layout::Separate) and their files into tables that own them.
    /// Some of the files are read when they are first used.
    pub fn into_late_tables(self, pieces: Vec<Piece>, read: ReadLate) -> Tables {
        Tables::late(self.bytes, self.rows, Pieces::new(pieces, read))
    }
}

/// The error for a bundle of more than 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the skills are too large for one bundle: over 4 GiB")
    }
}

impl std::error::Error for TooLarge {}
