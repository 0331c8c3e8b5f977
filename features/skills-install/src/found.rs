//! Reads the content at a path of a target, identified by its digest.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

use skills_files::{Dir, FileKind, is, read_parts};
use skills_text::path_below;

pub(super) type Digest = [u8; 32];

/// The content found at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Missing,
    /// A regular file. `executable` is `None` on systems without executable bits.
    File {
        digest: Digest,
        executable: Option<bool>,
    },
    /// A link, a directory, a device, …
    Other,
    /// Unknown, because a parent of the path is not a directory.
    Unreachable,
}

impl Found {
    /// Reads the entry with a name.
    pub(super) fn read(dir: &Dir, name: &OsStr) -> io::Result<Self> {
        let Some(found) = dir.metadata(name)? else { return Ok(Self::Missing) };
        if found.kind != FileKind::File {
            return Ok(Self::Other);
        }
        match dir.open_file(name) {
            Ok(file) => Ok(Self::File { digest: digest(file)?, executable: found.is_executable }),
            Err(error) if is(&error, io::ErrorKind::InvalidInput) => Ok(Self::Other),
            Err(error) => Err(error),
        }
    }

    /// Reads the entry at a path below the directory.
    pub(super) fn below(dir: &Dir, path: &str) -> io::Result<Self> {
        match dir.open_parent(Path::new(path), false) {
            Ok((dir, name)) => Self::read(&dir, name),
            Err(error) if is(&error, io::ErrorKind::NotFound) => Ok(Self::Missing),
            Err(error) if is(&error, io::ErrorKind::NotADirectory) => Ok(Self::Unreachable),
            Err(error) => Err(error),
        }
    }
}

/// Returns `true` if a directory contains only these files, given by their sorted paths below it, and the directories
/// of their paths.
pub(super) fn holds_only(dir: &Dir, path: &str, files: &[String]) -> io::Result<bool> {
    if !files.iter().any(|file| path_below(file, path).is_some_and(|rest| !rest.is_empty())) {
        return Ok(false);
    }
    let below = match dir.open_path(Path::new(path), false) {
        Err(error) if is(&error, io::ErrorKind::NotADirectory) => return Ok(false),
        below => below?,
    };
    for name in below.names()? {
        let inner = name.to_str().map(|name| format!("{path}/{name}"));
        match inner {
            Some(inner) if files.binary_search(&inner).is_ok() || holds_only(dir, &inner, files)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// The largest number of files in the directory of a retired skill.
const MAX_FILES: usize = 10_000;

/// Lists the files below a directory by their paths; links and names that are not UTF-8 are left out.
///
/// # Errors
/// If there are more than 10,000, or a directory cannot be read.
pub(super) fn files_below(dir: &Dir) -> io::Result<Vec<String>> {
    let (mut files, mut directories) = (Vec::new(), vec![String::new()]);
    while let Some(above) = directories.pop() {
        let below = if above.is_empty() { None } else { Some(dir.open_path(Path::new(&above), false)?) };
        let listed = below.as_ref().unwrap_or(dir);
        for name in listed.names()? {
            let (Some(text), kind) = (name.to_str(), listed.metadata(&name)?.map(|found| found.kind)) else {
                continue;
            };
            let path = if above.is_empty() { text.to_owned() } else { format!("{above}/{text}") };
            match kind {
                Some(FileKind::File) => files.push(path),
                Some(FileKind::Directory) => directories.push(path),
                _ => {}
            }
            if files.len() + directories.len() > MAX_FILES {
                return Err(io::Error::other("it has more than 10,000 files"));
            }
        }
    }
    Ok(files)
}

/// The largest file that is read, in bytes. No bundle has a larger one, since it is in the memory of the program.
const MAX_FILE: u64 = 1 << 30;

/// Reads a file to its end and returns the digest. For a file over the limit, returns a digest that no file has.
fn digest(file: fs::File) -> io::Result<Digest> {
    if file.metadata()?.len() > MAX_FILE {
        return Ok([0xff; 32]);
    }
    let mut hash = hmac_sha256::Hash::new();
    read_parts(file, &mut |part| {
        hash.update(part);
        Ok(())
    })?;
    Ok(hash.finalize())
}
