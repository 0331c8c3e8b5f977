//! Lists one directory, sorted by the bytes of the names. Used by `walk` and `files`.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, FileType};
use std::io;
use std::path::Path;

use skills_text::sort;

/// The entries of a directory.
#[derive(Clone, Debug, Default)]
pub(super) struct Listing {
    /// The entries, sorted by name.
    pub(super) entries: Vec<ListedEntry>,
    /// Entries whose names are not UTF-8, with escapes.
    pub(super) not_utf8: Vec<ListedEntry>,
}

/// One entry of a directory.
#[derive(Clone, Debug)]
pub(super) struct ListedEntry {
    pub(super) name: String,
    pub(super) kind: EntryType,
    /// The inode number of the file from the listing, to detect a file that was replaced before it was
    /// opened.
    pub(super) inode: Option<u64>,
}

/// The type of an entry, without following links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryType {
    File,
    Directory,
    Link,
    /// Any other type, with its name.
    Special(&'static str),
}

impl EntryType {
    pub(super) fn from_file_type(kind: FileType) -> Self {
        if kind.is_file() {
            Self::File
        } else if kind.is_dir() {
            Self::Directory
        } else if kind.is_symlink() {
            Self::Link
        } else {
            Self::Special(special(kind))
        }
    }
}

/// Lists a directory. Fails if it cannot be opened or read completely.
pub(super) fn list(directory: &Path) -> io::Result<Listing> {
    let mut listing = Listing::default();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let kind = match entry.file_type() {
            Ok(kind) => EntryType::from_file_type(kind),
            // It was deleted after it was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        let inode = inode(&entry);
        match entry.file_name().into_string() {
            Ok(name) => listing.entries.push(ListedEntry { name, kind, inode }),
            Err(name) => listing.not_utf8.push(ListedEntry { name: shown(&name), kind, inode }),
        }
    }
    sort(&mut listing.entries, &|a, b| a.name.cmp(&b.name));
    sort(&mut listing.not_utf8, &|a, b| a.name.cmp(&b.name));
    Ok(listing)
}

/// Finds an entry of a sorted list by its exact name.
pub(super) fn find<'a>(entries: &'a [ListedEntry], name: &str) -> Option<&'a ListedEntry> {
    entries.binary_search_by(|entry| entry.name.as_str().cmp(name)).ok().map(|at| &entries[at])
}

/// Shows a name that is not UTF-8: `caf\xe9.txt`.
fn shown(name: &OsStr) -> String {
    let mut text = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

#[cfg(unix)]
fn inode(entry: &DirEntry) -> Option<u64> {
    Some(std::os::unix::fs::DirEntryExt::ino(entry))
}

#[cfg(not(unix))]
fn inode(_: &DirEntry) -> Option<u64> {
    None
}

#[cfg(unix)]
fn special(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_: FileType) -> &'static str {
    "not a file"
}
