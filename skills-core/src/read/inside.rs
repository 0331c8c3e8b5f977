//! What was opened is asked where it lies, so that nobody can exchange a directory on the way to it; `open` and the walks
//! read through this alone (SPEC 12.7).

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::listing::{Listing, list};

/// The real path of a root, and how it is made sure that something lies in it.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) path: PathBuf,
    /// Whether the system tells where an open file lies, and tells it as this path does.
    pub(super) is_told: bool,
    /// The file system that it is on, where files have numbers.
    pub(super) device: Option<u64>,
}

impl Root {
    pub(super) fn new(path: PathBuf) -> Self {
        let opened = open(&path).ok();
        let is_told = opened.as_ref().and_then(place).is_some_and(|place| place == path);
        let device = opened
            .and_then(|root| root.metadata().ok())
            .and_then(|root| number(&root))
            .map(|(device, _)| device);
        Self { path, is_told, device }
    }

    /// Opens a file or a directory by the number that a listing gave it.
    ///
    /// A listing is of a directory inside, so what has that number on the file system of the root is what was listed,
    /// wherever its path leads by now. Any other is asked where it lies.
    ///
    /// # Errors
    /// It cannot be opened, or what was opened lies outside, where the system tells: then not a byte of it was read.
    pub(super) fn open_listed(&self, path: &Path, inode: Option<u64>) -> io::Result<(File, Metadata)> {
        let opened = open(path)?;
        let metadata = opened.metadata()?;
        let listed = self.device.zip(inode);
        if listed.is_none() || listed != number(&metadata) {
            self.confirm(&opened)?;
        }
        Ok((opened, metadata))
    }

    /// Makes sure that what was opened lies inside, where the system tells.
    fn confirm(&self, opened: &File) -> io::Result<()> {
        match self.is_told && !place(opened).is_some_and(|place| place.starts_with(&self.path)) {
            true => Err(io::Error::other("it was replaced while it was being read")),
            false => Ok(()),
        }
    }

    /// Lists a directory; `inode` is the number that the listing above it gave.
    ///
    /// # Errors
    /// It cannot be read to its end, or lies outside.
    pub(super) fn list(&self, directory: &Path, inode: Option<u64>) -> io::Result<Listing> {
        if !self.is_told {
            return list(directory);
        }
        let (opened, _) = self.open_listed(directory, inode)?;
        // What is open is listed, whatever the path leads to by now.
        list(&by_number(&opened))
    }
}

impl Deref for Root {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

/// Opens for reading; what has become a FIFO since it was looked at is not waited for.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64", target_arch = "s390x")
    ))]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, 0o4000); // O_NONBLOCK
    options.open(path)
}

/// The numbers of a file system and of a file on it.
#[cfg(unix)]
fn number(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// The path of an open file as the kernel has it; a file that was deleted meanwhile keeps its own.
#[cfg(target_os = "linux")]
fn place(file: &File) -> Option<PathBuf> {
    std::fs::read_link(by_number(file)).ok()
}

#[cfg(target_os = "linux")]
fn by_number(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file)))
}

/// Nothing: other systems tell it by calls that the standard library has not.
#[cfg(not(target_os = "linux"))]
fn place(_: &File) -> Option<PathBuf> {
    None
}

#[cfg(not(target_os = "linux"))]
fn by_number(_: &File) -> PathBuf {
    PathBuf::new()
}
