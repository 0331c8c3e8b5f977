//! Computes the SHA-256 digests of the files in a directory. Files are opened by descriptor, so that links
//! cannot redirect a read.

mod copy;
mod walk;

use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

pub use copy::CopyTo;

/// A SHA-256 digest.
pub type Digest = [u8; 32];

/// How many bytes are read at once, so that memory use does not depend on file sizes.
const CHUNK: usize = 64 * 1024;

/// The files of a directory by their paths below it, each with its digest.
///
/// They are sorted by path components, as in Model Signing: `a/b` comes before `a.b`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    files: Vec<(String, Digest)>,
}

/// How symbolic links are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Links {
    /// Links are refused.
    Refuse,
    /// A link to a file below the directory counts as that file. Other links are refused.
    Follow,
    /// A link counts as a file that contains the link's target path. If the target is not among the files of the
    /// directory, its contents count as well: a file is a part of the link, and a directory has its files below the link.
    Record,
}

/// The files to include, and limits for reading.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Files and directories to leave out, as paths below the directory.
    pub ignored: HashSet<String>,
    /// How symbolic links are handled.
    pub links: Links,
    /// The maximum total size of the files in bytes (default 1 GiB).
    pub max_bytes: u64,
    /// The maximum number of files (default 100,000).
    pub max_files: usize,
}

impl Rules {
    /// Creates rules that include every file.
    pub fn new(links: Links) -> Self {
        Self { ignored: HashSet::new(), links, max_bytes: 1 << 30, max_files: 100_000 }
    }

    /// Leaves out a file or a directory.
    #[must_use]
    pub fn ignore(mut self, path: impl Into<String>) -> Self {
        self.ignored.insert(path.into());
        self
    }
}

/// The error for a directory without digests: one of its entries cannot be included.
#[derive(Debug)]
#[non_exhaustive]
pub struct Unfit {
    /// The path below the directory. Empty for the directory itself.
    pub path: String,
    /// The reason.
    pub reason: UnfitReason,
}

/// The reason why a path cannot be included.
#[derive(Debug)]
#[non_exhaustive]
pub enum UnfitReason {
    /// The directory has no file.
    Empty,
    /// The path is a symbolic link.
    Link,
    /// The path is a link that leads out of the directory, to a directory, or to nothing.
    LinkAway,
    /// The path is a link to another file system, or is on another one behind a link.
    OtherDevice,
    /// The path is neither a file nor a directory.
    Special,
    /// The name is not UTF-8, or contains a backslash, which is a separator on some systems.
    Name,
    /// The file makes the directory larger than this many bytes.
    TooLarge(u64),
    /// There are more than this many files.
    TooMany(usize),
    /// The path is nested too deeply.
    TooDeep,
    /// The path cannot be read.
    Unreadable(io::Error),
    /// The path cannot be copied.
    Uncopied(io::Error),
}

/// The maximum nesting depth of directories; each needs an open descriptor.
const MAX_DEPTH: usize = 64;

impl Contents {
    /// Reads a directory.
    ///
    /// # Errors
    /// If an entry of the directory cannot be included. There are no partial results.
    pub fn read(directory: &Path, rules: &Rules) -> Result<Self, Unfit> {
        Self::walk(directory, rules, None)
    }

    /// Reads a directory, and copies its files. The digests are computed from the copied bytes, so a
    /// copy has its digest even if the file changes meanwhile. Permissions are not copied, except that an
    /// executable file stays executable.
    ///
    /// # Errors
    /// As [`read`](Self::read), or if a file cannot be copied. The destination may then contain some of the
    /// files.
    pub fn copy(directory: &Path, rules: &Rules, to: &CopyTo<'_>) -> Result<Self, Unfit> {
        Self::walk(directory, rules, Some(to))
    }

    fn walk(directory: &Path, rules: &Rules, to: Option<&CopyTo<'_>>) -> Result<Self, Unfit> {
        let mut found = Gathered { rules, files: Vec::new(), bytes: 0, followed: Vec::new() };
        walk::read(directory, &mut found, to)?;
        Ok(Self::from_files(found.files))
    }

    /// Creates contents from known digests. The later of two files with the same path counts.
    pub fn from_files(files: impl IntoIterator<Item = (String, Digest)>) -> Self {
        let mut files: Vec<(String, Digest)> = files.into_iter().collect();
        files.reverse();
        files.sort_by(|(a, _), (b, _)| parts(a).cmp(parts(b)));
        files.dedup_by(|(a, _), (b, _)| a == b);
        Self { files }
    }

    /// Returns the files, sorted.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&str, &Digest)> {
        self.files.iter().map(|(path, digest)| (path.as_str(), digest))
    }

    /// Returns the digest of a file.
    pub fn get(&self, path: &str) -> Option<&Digest> {
        let at = self.files.binary_search_by(|(other, _)| parts(other).cmp(parts(path))).ok()?;
        self.files.get(at).map(|(_, digest)| digest)
    }

    /// Returns the number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns `true` if there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the digest of the files' concatenated digests. It does not depend on the paths.
    pub fn root(&self) -> Digest {
        let mut hash = hmac_sha256::Hash::new();
        self.files.iter().for_each(|(_, digest)| hash.update(digest));
        hash.finalize()
    }

    /// Returns one digest of all paths and contents.
    pub fn whole(&self) -> Digest {
        let mut hash = hmac_sha256::Hash::new();
        for (path, digest) in &self.files {
            hash.update((path.len() as u64).to_le_bytes());
            hash.update(path);
            hash.update(digest);
        }
        hash.finalize()
    }
}

/// Returns the components of a path, by which paths are sorted.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/')
}

/// Decodes a digest from 64 hexadecimal digits in upper or lower case.
pub fn unhex(text: &str) -> Option<Digest> {
    skills_text::unhex(text)
}

/// The files found so far.
struct Gathered<'r> {
    rules: &'r Rules,
    files: Vec<(String, Digest)>,
    bytes: u64,
    /// The real paths of the directories outside to which links led.
    followed: Vec<PathBuf>,
}

impl Gathered<'_> {
    fn is_ignored(&self, path: &str) -> bool {
        self.rules.ignored.contains(path)
    }

    /// Returns `true` if a real path is among the files of the directory, or of a directory to which a link led.
    fn has_counted(&self, root: &Path, real: &Path) -> bool {
        if self.followed.iter().any(|followed| real.starts_with(followed)) {
            return true;
        }
        let Ok(below) = real.strip_prefix(root) else { return false };
        !below
            .ancestors()
            .any(|path| path.to_str().is_some_and(|path| self.is_ignored(&path.replace('\\', "/"))))
    }

    /// Adds a file with its content, which is also written to `copy`.
    fn add(&mut self, path: &str, mut content: impl Read, mut copy: Option<File>) -> Result<(), Unfit> {
        let fault = |reason| Unfit { path: path.to_owned(), reason };
        if self.files.len() >= self.rules.max_files {
            return Err(fault(UnfitReason::TooMany(self.rules.max_files)));
        }
        let mut hash = hmac_sha256::Hash::new();
        let mut chunk = vec![0; CHUNK];
        loop {
            let count = match content.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(fault(UnfitReason::Unreadable(error))),
            };
            self.grow(path, count as u64)?;
            let read = chunk.get(..count).unwrap_or_default();
            if let Some(copy) = &mut copy {
                copy.write_all(read).map_err(|error| fault(UnfitReason::Uncopied(error)))?;
            }
            hash.update(read);
        }
        self.files.push((path.to_owned(), hash.finalize()));
        Ok(())
    }

    /// Adds to the total size, before or after reading.
    fn grow(&mut self, path: &str, count: u64) -> Result<(), Unfit> {
        self.bytes = self.bytes.saturating_add(count);
        self.room(path, 0)
    }

    /// Refuses a file that would exceed the maximum total size, before it is read.
    fn room(&self, path: &str, count: u64) -> Result<(), Unfit> {
        let max = self.rules.max_bytes;
        if self.bytes.saturating_add(count) <= max {
            return Ok(());
        }
        Err(Unfit { path: path.to_owned(), reason: UnfitReason::TooLarge(max) })
    }

    /// Joins a name to the path of its directory. A name that is not UTF-8 is an error if the names are
    /// shown. Otherwise it is escaped with a character that names cannot contain.
    fn path(&self, above: &str, name: Result<&str, &[u8]>) -> Result<String, Unfit> {
        let join = |name: &str| if above.is_empty() { name.to_owned() } else { format!("{above}/{name}") };
        match name {
            Ok(name) if !name.contains('\\') || self.rules.links == Links::Record => Ok(join(name)),
            Err(bytes) if self.rules.links == Links::Record => {
                Ok(join(&bytes.iter().map(|byte| format!("\0{byte:02x}")).collect::<String>()))
            }
            Ok(name) => Err(Unfit { path: join(name), reason: UnfitReason::Name }),
            Err(bytes) => {
                Err(Unfit { path: join(&String::from_utf8_lossy(bytes)), reason: UnfitReason::Name })
            }
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            return write!(f, "the directory {}", self.reason);
        }
        write!(f, "`{}` {}", self.path, self.reason)
    }
}

impl fmt::Display for UnfitReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("has no file"),
            Self::Link => f.write_str("is a symbolic link; put the file in its place"),
            Self::LinkAway => f.write_str(
                "is a symbolic link that does not lead to a file of the directory; put a file in its place",
            ),
            Self::OtherDevice => f.write_str(
                "is on another file system, to which a symbolic link leads; put a copy in its place",
            ),
            Self::Special => f.write_str("is neither a file nor a directory"),
            Self::Name => f.write_str("has a name that is not UTF-8, or that contains a backslash"),
            Self::TooLarge(max) => write!(f, "is too large: all files together may have {} MiB", max >> 20),
            Self::TooMany(max) => write!(f, "exceeds the limit of {max} files"),
            Self::TooDeep => write!(f, "is nested too deeply: the limit is {MAX_DEPTH} directories"),
            Self::Unreadable(error) => write!(f, "cannot be read: {error}"),
            Self::Uncopied(error) => write!(f, "cannot be copied: {error}"),
        }
    }
}

impl std::error::Error for Unfit {}
