//! Opens files and then checks that the open files are inside the root, so that replacing a directory on
//! their path has no effect. `open` and the walks read files only through this module.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use super::listing::{Listing, list};

/// The real path of a root, with the data for verifying that a file is inside it.
#[derive(Clone, Debug)]
pub(super) struct RealRoot {
    pub(super) path: PathBuf,
    /// Whether the system reports the path of an open file, in the same form as this path.
    pub(super) is_located: bool,
    /// The device number of its file system, if files have numbers.
    pub(super) device: Option<u64>,
    /// Whether it did not exist when it was opened. Then nothing is below it.
    pub(super) is_absent: bool,
}

impl RealRoot {
    pub(super) fn new(path: PathBuf) -> Self {
        let opened = open(&path);
        let is_absent = matches!(&opened, Err(error) if error.kind() == io::ErrorKind::NotFound);
        let opened = opened.ok();
        let is_located = opened.as_ref().and_then(place).is_some_and(|place| place == path);
        let device = opened
            .and_then(|root| root.metadata().ok())
            .and_then(|root| number(&root))
            .map(|(device, _)| device);
        Self { path, is_located, device, is_absent }
    }

    /// Opens a file or a directory by the inode number from a listing.
    ///
    /// The listed directory is inside the root. So if the open file has that number and is on the file system
    /// of the root, it is the listed file, even if its path leads elsewhere now. The path of any other file
    /// is checked: if it is outside the root, opening fails before any of its bytes are read.
    pub(super) fn open_listed(&self, path: &Path, inode: Option<u64>) -> io::Result<(File, Metadata)> {
        let opened = open(path)?;
        let metadata = opened.metadata()?;
        let listed = self.device.zip(inode);
        if listed.is_none() || listed != number(&metadata) {
            self.confirm(&opened)?;
        }
        Ok((opened, metadata))
    }

    /// Checks that an open file is inside the root, on a system that reports paths.
    fn confirm(&self, opened: &File) -> io::Result<()> {
        match self.is_located && !place(opened).is_some_and(|place| place.starts_with(&self.path)) {
            true => Err(io::Error::other("it was replaced while it was being read")),
            false => Ok(()),
        }
    }

    /// Lists a directory; `inode` is its number in the listing of its parent. Fails if it cannot be read
    /// completely, or is outside the root.
    pub(super) fn list(&self, directory: &Path, inode: Option<u64>) -> io::Result<Listing> {
        if self.is_absent {
            return Err(io::ErrorKind::NotFound.into());
        }
        if !self.is_located {
            return list(directory);
        }
        let (opened, _) = self.open_listed(directory, inode)?;
        // This lists the open directory, even if its path leads elsewhere now.
        list(&by_number(&opened))
    }
}

impl Deref for RealRoot {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

/// Opens a file for reading, without blocking if it was replaced by a FIFO.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(all(
        target_os = "linux",
        any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64", target_arch = "s390x")
    ))]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, 0o4000); // O_NONBLOCK
    options.open(path)
}

/// Returns the device number and the inode number of a file.
#[cfg(unix)]
fn number(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// Returns the path of an open file from the kernel; a file deleted meanwhile keeps its path.
#[cfg(target_os = "linux")]
fn place(file: &File) -> Option<PathBuf> {
    std::fs::read_link(by_number(file)).ok()
}

#[cfg(target_os = "linux")]
fn by_number(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file)))
}

/// Returns `None`: on other systems the standard library has no such call.
#[cfg(not(target_os = "linux"))]
fn place(_: &File) -> Option<PathBuf> {
    None
}

#[cfg(not(target_os = "linux"))]
fn by_number(_: &File) -> PathBuf {
    PathBuf::new()
}

/// Opens a file by its real path. First checks that it lies below the root, which is also a real path. Does
/// not wait for a pipe.
pub fn open_inside(root: &Path, path: &Path) -> io::Result<(File, Metadata)> {
    RealRoot::new(root.to_owned()).open_listed(path, None)
}
