//! Reads the index of a git repository: the paths of its tracked files. Git is not run.

use std::cell::OnceCell;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use skills_text::sort;

use crate::read::inside::RealRoot;

/// The maximum size of an index, in bytes.
const MAX_INDEX: u64 = 64 << 20;

/// The maximum number of bytes of all its paths, which version 4 abbreviates.
const MAX_PATHS: usize = 256 << 20;

/// The maximum number of entries of a shared index.
const MAX_ENTRIES: usize = 1 << 24;

/// The maximum size of the small files of a repository, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// The work tree of a repository, and its index, which is read when it is needed first.
#[derive(Debug)]
pub(super) struct Repository {
    /// The top of the work tree.
    top: PathBuf,
    index: OnceCell<Result<Index, String>>,
}

impl Repository {
    pub(super) fn new(top: PathBuf) -> Self {
        Self { top, index: OnceCell::new() }
    }

    /// Returns `true` if a file is tracked, given by its real path.
    ///
    /// # Errors
    /// Fails if the index cannot be read.
    pub(super) fn tracks(&self, path: &Path) -> Result<bool, &str> {
        self.search(path, Index::holds)
    }

    /// Returns `true` if a file below a directory is tracked, given by its real path.
    pub(super) fn tracks_below(&self, directory: &Path) -> bool {
        self.search(directory, Index::holds_below).unwrap_or(false)
    }

    fn search(&self, path: &Path, holds: fn(&Index, &str) -> bool) -> Result<bool, &str> {
        let below =
            path.strip_prefix(&self.top).ok().and_then(Path::to_str).map(|path| path.replace('\\', "/"));
        let index = self.index.get_or_init(|| Index::read(&self.top));
        let index = index.as_ref().map_err(String::as_str)?;
        Ok(below.is_some_and(|below| holds(index, &below)))
    }
}

/// Returns the directory with the data of a work tree, and that with the data that all its work trees share.
///
/// `.git` is a directory, or a file that names one, as in a submodule and in a linked work tree.
pub(super) fn directories(top: &Path) -> Option<(PathBuf, PathBuf)> {
    let link = top.join(".git");
    let own = if link.is_dir() {
        link
    } else {
        let text = text_of(top, &link)?;
        top.join(text.strip_prefix("gitdir:")?.trim_end_matches(['\n', '\r']).trim_start())
    };
    let shared = text_of(&own, &own.join("commondir"));
    let shared = shared.map(|shared| own.join(shared.trim_end_matches(['\n', '\r'])));
    Some((own.clone(), shared.unwrap_or(own)))
}

/// Reads a small regular file of a directory.
fn text_of(directory: &Path, file: &Path) -> Option<String> {
    let bytes = bytes_of(directory, file, MAX_FILE).ok()?;
    String::from_utf8(bytes).ok()
}

fn bytes_of(directory: &Path, file: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (opened, metadata) = RealRoot::new(directory.canonicalize()?).open_listed(file, None)?;
    if !metadata.is_file() || metadata.len() > most {
        return Err(io::Error::other("it is not a file, or too large"));
    }
    let mut bytes = Vec::new();
    opened.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The tracked paths, sorted. A path that ends with `/` stands for everything below it.
#[derive(Debug, Default)]
struct Index(Vec<Vec<u8>>);

impl Index {
    fn read(top: &Path) -> Result<Self, String> {
        let (own, shared) = directories(top).ok_or("`.git` names no directory")?;
        let file = own.join("index");
        let bytes = match bytes_of(&own, &file, MAX_INDEX) {
            Ok(bytes) => bytes,
            // Nothing was added yet.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !file.exists() => {
                return Ok(Self::default());
            }
            Err(error) => return Err(error.to_string()),
        };
        let hash = if uses_sha256(&shared) { 32 } else { 20 };
        let parsed = parse(&bytes, hash).ok_or("its format is unknown, or it is damaged")?;
        let mut paths = parsed.paths;
        if let Some(Split { base, deleted }) = parsed.split {
            let name = format!("sharedindex.{base}");
            let found = [&own, &shared].into_iter().find(|place| place.join(&name).is_file());
            let place = found.ok_or("its shared index is missing")?;
            let bytes = bytes_of(place, &place.join(&name), MAX_INDEX).map_err(|error| error.to_string())?;
            let base = parse(&bytes, hash).ok_or("its shared index is damaged")?;
            let kept =
                base.paths.into_iter().enumerate().filter(|(at, _)| deleted.binary_search(at).is_err());
            paths.extend(kept.map(|(_, path)| path));
        }
        paths.retain(|path| !path.is_empty());
        sort(&mut paths, &|a, b| a.cmp(b));
        Ok(Self(paths))
    }

    fn holds(&self, path: &str) -> bool {
        let is_there =
            |path: &str| self.0.binary_search_by(|known| known.as_slice().cmp(path.as_bytes())).is_ok();
        // A sparse index names a directory instead of its files.
        is_there(path) || path.match_indices('/').any(|(at, _)| is_there(&path[..=at]))
    }

    fn holds_below(&self, directory: &str) -> bool {
        let start = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let at = self.0.partition_point(|known| known.as_slice() < start.as_bytes());
        self.0.get(at).is_some_and(|known| known.starts_with(start.as_bytes())) || self.holds(&start)
    }
}

/// Returns `true` if the names of objects are SHA-256.
fn uses_sha256(shared: &Path) -> bool {
    let config = text_of(shared, &shared.join("config")).unwrap_or_default();
    config.lines().filter_map(|line| line.split_once('=')).any(|(key, value)| {
        key.trim().eq_ignore_ascii_case("objectformat") && value.trim().eq_ignore_ascii_case("sha256")
    })
}

/// One file of an index.
struct Parsed {
    /// The paths, in the order of the file; empty for an entry that replaces one of the shared index.
    paths: Vec<Vec<u8>>,
    split: Option<Split>,
}

/// The shared index to which an index belongs.
struct Split {
    /// The digest in its name.
    base: String,
    /// The numbers of its entries that no longer exist, sorted.
    deleted: Vec<usize>,
}

/// Parses version 2, 3 or 4 of the format (`gitformat-index`). `hash` is the number of bytes of a digest.
fn parse(bytes: &[u8], hash: usize) -> Option<Parsed> {
    let mut rest = Bytes(bytes);
    if rest.take(4)? != b"DIRC" {
        return None;
    }
    let version = rest.number()?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let count = rest.number()?;
    let mut paths: Vec<Vec<u8>> = Vec::new();
    let mut room = MAX_PATHS;
    for _ in 0..count {
        let before = rest.0.len();
        // Times, device, inode, mode, owner and size, then the digest.
        rest.take(40 + hash)?;
        let flags = rest.short()?;
        if version > 2 && flags & 0x4000 != 0 {
            rest.short()?;
        }
        let path = if version == 4 {
            let dropped = rest.varint()?;
            let last = paths.last().map_or(&[][..], Vec::as_slice);
            let kept = last.get(..last.len().checked_sub(dropped)?)?;
            [kept, rest.text()?].concat()
        } else {
            let path = rest.text()?.to_vec();
            // An entry is padded to eight bytes; one of them was read as the end of the path.
            let length = before - rest.0.len() - 1;
            rest.take((length + 8) / 8 * 8 - length - 1)?;
            path
        };
        room = room.checked_sub(path.len())?;
        paths.push(path);
    }
    let mut split = None;
    while rest.0.len() > hash {
        let (name, size) = (rest.take(4)?, rest.number()?);
        let extension = rest.take(usize::try_from(size).ok()?)?;
        match name {
            b"link" => split = link(extension, hash)?,
            // A sparse directory is an entry whose path ends with `/`.
            b"sdir" => {}
            // An extension that begins with a lower-case letter must be understood.
            [first, ..] if first.is_ascii_lowercase() => return None,
            _ => {}
        }
    }
    Some(Parsed { paths, split })
}

/// Parses the extension that names the shared index. Returns `Some(None)` for a digest of zeros, which names no index.
fn link(extension: &[u8], hash: usize) -> Option<Option<Split>> {
    let mut rest = Bytes(extension);
    let digest = rest.take(hash)?;
    if digest.iter().all(|byte| *byte == 0) {
        return Some(None);
    }
    let base = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let deleted = if rest.0.is_empty() { Vec::new() } else { bitmap(&mut rest)? };
    Some(Some(Split { base, deleted }))
}

/// Parses a compressed bitmap (EWAH), and returns the numbers of its bits that are set.
fn bitmap(rest: &mut Bytes<'_>) -> Option<Vec<usize>> {
    let bits = usize::try_from(rest.number()?).ok().filter(|bits| *bits <= MAX_ENTRIES)?;
    let words = rest.number()?;
    let (mut set, mut at, mut left) = (Vec::new(), 0_usize, u64::from(words));
    while left > 0 {
        let head = rest.word()?;
        left -= 1;
        let run = usize::try_from(head >> 1 & 0xffff_ffff).ok()?.checked_mul(64)?;
        if head & 1 == 1 {
            set.extend(at.min(bits)..at.checked_add(run)?.min(bits));
        }
        at = at.checked_add(run)?;
        for _ in 0..head >> 33 {
            let word = rest.word()?;
            left = left.checked_sub(1)?;
            set.extend((0..64).filter(|bit| word >> bit & 1 == 1).map(|bit| at + bit));
            at = at.checked_add(64)?;
        }
    }
    rest.number()?;
    Some(set)
}

/// The bytes that were not read yet.
struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn short(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(self.take(2)?.try_into().ok()?))
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    fn word(&mut self) -> Option<u64> {
        Some(u64::from_be_bytes(self.take(8)?.try_into().ok()?))
    }

    /// Reads bytes up to a zero, and the zero.
    fn text(&mut self) -> Option<&'b [u8]> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let text = self.take(end)?;
        self.take(1)?;
        Some(text)
    }

    /// Reads a number of variable length, as in a pack.
    fn varint(&mut self) -> Option<usize> {
        let mut byte = *self.take(1)?.first()?;
        let mut value = usize::from(byte & 0x7f);
        while byte & 0x80 != 0 {
            byte = *self.take(1)?.first()?;
            value = value.checked_add(1)?.checked_mul(128)? | usize::from(byte & 0x7f);
        }
        Some(value)
    }
}

/// Returns `true` if a directory is the top of a work tree.
pub(super) fn is_top(directory: &Path) -> bool {
    fs::symlink_metadata(directory.join(".git")).is_ok()
}
