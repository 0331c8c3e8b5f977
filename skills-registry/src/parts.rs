//! The tables as they are written: two pieces of bytes, and where the contents of files lie among them.

use crate::layout::header;
use crate::tables::Tables;

/// Where the contents of the files go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Into the one piece there is, with the texts; equal files are kept once.
    #[default]
    Joined,
    /// Into the one piece there is, each for itself; the digests are not looked at. For
    /// [`Parts::into_lazy_tables`].
    Undigested,
    /// Nowhere: each is a piece of its own that the caller provides, behind the first with the texts, in the order of
    /// the skills sorted by name.
    Separate,
}

/// Tables, written.
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

    /// Puts the digest of the bundle into the tables, which [`Registry::digest`](crate::Registry::digest) returns.
    #[must_use]
    pub fn digested(mut self, digest: &[u8; 32]) -> Self {
        let start = header::DIGEST as usize * 4;
        if let Some(place) = self.rows.get_mut(start..start + digest.len()) {
            place.copy_from_slice(digest);
        }
        self
    }

    /// Turns parts of the layout [`Undigested`](Layout::Undigested) into tables that own them; `digest` computes the
    /// SHA-256 of a file when somebody asks for it.
    pub fn into_lazy_tables(self, digest: fn(&[u8]) -> [u8; 32]) -> Tables {
        Tables::lazy(self.bytes, self.rows, digest)
    }
}

/// The bundle does not fit: it has over 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the skills are too large for one bundle: over 4 GiB")
    }
}

impl std::error::Error for TooLarge {}
