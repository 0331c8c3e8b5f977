//! Implements a directory as an open descriptor.

use std::ffi::{CString, OsStr, OsString};
use std::fs::{File, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{
    AtFlags, CWD, FileType, FlockOperation, Mode, OFlags, Stat, flock, fstat, linkat, mkdirat, openat,
    readlinkat, renameat, statat, symlinkat, unlinkat,
};
use rustix::io::Errno;

use crate::dir::{FileKind, Metadata};
use crate::dir::{no_file, part};
use crate::fault;

/// An open directory. Each call takes one name in it, not a path, and follows no link.
#[derive(Debug)]
pub struct Dir(pub(crate) OwnedFd);

impl Dir {
    /// Returns the descriptor as a file, for locks and metadata.
    pub fn into_file(self) -> File {
        File::from(self.0)
    }

    /// Opens a directory. Links in the given path are followed, since the caller is responsible for it.
    ///
    /// # Errors
    /// If it is missing, not a directory, or not readable.
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self(openat(CWD, &*c_path(path)?, flags, Mode::empty())?))
    }

    /// Opens a directory in this one.
    ///
    /// # Errors
    /// The error of the system. The kind is `NotADirectory` for a link, too.
    pub fn open_dir(&self, name: &OsStr) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(&self.0, &*c_name(name)?, flags, Mode::empty()) {
            Ok(dir) => Ok(Self(dir)),
            Err(Errno::LOOP | Errno::MLINK | Errno::NOTDIR) => Err(io::ErrorKind::NotADirectory.into()),
            Err(error) => Err(error.into()),
        }
    }

    /// Duplicates the descriptor.
    ///
    /// # Errors
    /// If the process has too many descriptors.
    pub fn try_clone(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    /// Creates a directory with the mode `0777` without the bits of the user's mask.
    ///
    /// # Errors
    /// The error of the system.
    pub fn create_dir(&self, name: &OsStr) -> io::Result<()> {
        fault::point()?;
        Ok(mkdirat(&self.0, &*c_name(name)?, Mode::from_raw_mode(0o777))?)
    }

    /// Creates a directory that only its owner can read, write and enter.
    ///
    /// # Errors
    /// The error of the system.
    pub fn create_private_dir(&self, name: &OsStr) -> io::Result<()> {
        Ok(mkdirat(&self.0, &*c_name(name)?, Mode::RWXU)?)
    }

    /// Returns the metadata of an entry, or `None` if it does not exist.
    ///
    /// # Errors
    /// The error of the system.
    pub fn metadata(&self, name: &OsStr) -> io::Result<Option<Metadata>> {
        match statat(&self.0, &*c_name(name)?, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(metadata(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a regular file for reading. A pipe does not block.
    ///
    /// # Errors
    /// The error of the system. The kind is `InvalidInput` for anything but a regular file.
    pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match openat(&self.0, &*c_name(name)?, flags, Mode::empty()) {
            Ok(file) if FileType::from_raw_mode(fstat(&file)?.st_mode) == FileType::RegularFile => {
                Ok(File::from(file))
            }
            // A link, a socket, or a device without a driver.
            Ok(_) | Err(Errno::LOOP | Errno::MLINK | Errno::NXIO | Errno::OPNOTSUPP) => Err(no_file()),
            Err(error) => Err(error.into()),
        }
    }

    /// Creates a new file with the mode that the user's mask allows.
    ///
    /// # Errors
    /// The error of the system. The kind is `AlreadyExists` if the name exists.
    pub fn create_file(&self, name: &OsStr, executable: bool) -> io::Result<File> {
        fault::point()?;
        let mode = Mode::from_raw_mode(if executable { 0o777 } else { 0o666 });
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(openat(&self.0, &*c_name(name)?, flags, mode)?))
    }

    /// Returns the target of a link.
    ///
    /// # Errors
    /// The error of the system, or if it is not a link.
    pub fn read_link(&self, name: &OsStr) -> io::Result<Vec<u8>> {
        Ok(readlinkat(&self.0, &*c_name(name)?, Vec::new())?.into_bytes())
    }

    /// Creates a link that leads to `target`.
    ///
    /// # Errors
    /// Returns the error of the system.
    pub fn create_link(&self, name: &OsStr, target: &Path) -> io::Result<()> {
        fault::point()?;
        Ok(symlinkat(&*c_path(target)?, &self.0, &*c_name(name)?)?)
    }

    /// Moves an entry to another directory. A file with the name there is replaced.
    ///
    /// # Errors
    /// The error of the system.
    pub fn rename(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fault::point()?;
        Ok(renameat(&self.0, &*c_name(name)?, &to.0, &*c_name(new)?)?)
    }

    /// Exchanges two files in two directories, so that neither name is missing at any time. Returns `true` if they
    /// were exchanged. If the system cannot do that, or the second file is missing, the first is moved.
    ///
    /// # Errors
    /// The error of the system.
    pub fn exchange(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<bool> {
        fault::point()?;
        let (name, new) = (&*c_name(name)?, &*c_name(new)?);
        #[cfg(target_os = "linux")]
        match rustix::fs::renameat_with(&self.0, name, &to.0, new, rustix::fs::RenameFlags::EXCHANGE) {
            Err(Errno::NOENT | Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            exchanged => return Ok(exchanged.map(|()| true)?),
        }
        Ok(renameat(&self.0, name, &to.0, new).map(|()| false)?)
    }

    /// Creates a hard link; an existing file is not replaced.
    ///
    /// # Errors
    /// The error of the system.
    pub fn link(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fault::point()?;
        Ok(linkat(&self.0, &*c_name(name)?, &to.0, &*c_name(new)?, AtFlags::empty())?)
    }

    /// Removes an entry that is not a directory.
    ///
    /// # Errors
    /// The error of the system.
    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        fault::point()?;
        Ok(unlinkat(&self.0, &*c_name(name)?, AtFlags::empty())?)
    }

    /// Removes an empty directory.
    ///
    /// # Errors
    /// The error of the system.
    pub fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        fault::point()?;
        Ok(unlinkat(&self.0, &*c_name(name)?, AtFlags::REMOVEDIR)?)
    }

    /// Lists the names in the directory, sorted.
    ///
    /// # Errors
    /// The error of the system.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.0)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name != "." && name != ".." {
                names.push(name.to_owned());
            }
        }
        skills_text::sort(&mut names, &|a, b| a.cmp(b));
        Ok(names)
    }

    /// Waits until everything that was written below this directory is on the disk.
    ///
    /// On Linux, one call synchronizes all files; one call per file takes 15 times as long (measured with 3,000 files
    /// on ext4). On other systems every file is synchronized when it is written.
    ///
    /// # Errors
    /// If the disk is full or broken.
    pub fn sync(&self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        rustix::fs::syncfs(&self.0)?;
        Ok(())
    }
}

/// Converts a single name for the system. In each call, rustix would instantiate the conversion again.
pub(crate) fn c_name(name: &OsStr) -> io::Result<CString> {
    c_path(part(name)?.as_ref())
}

fn c_path(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

// The widths of these numbers differ between systems.
#[allow(clippy::unnecessary_cast, clippy::useless_conversion)]
fn metadata(stat: &Stat) -> Metadata {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Directory,
        FileType::Symlink => FileKind::Link,
        _ => FileKind::Other,
    };
    Metadata {
        kind,
        is_executable: Some(Mode::from_raw_mode(stat.st_mode).contains(Mode::XUSR)),
        permissions: Permissions::from_mode(u32::from(stat.st_mode) & 0o7777),
        id: Some((stat.st_dev as u64, stat.st_ino as u64)),
    }
}

/// The lock of a directory for writing. One process holds it at a time, and the system releases it when the process
/// ends.
#[derive(Debug)]
pub struct WriteLock<'a> {
    dir: &'a Dir,
    name: &'static str,
    _file: OwnedFd,
}

impl<'a> WriteLock<'a> {
    /// Waits until no other process holds the lock file.
    ///
    /// # Errors
    /// If the file cannot be created or locked. The kind is `NotADirectory` for a link in its place.
    pub fn wait(dir: &'a Dir, name: &'static str) -> io::Result<Self> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let at = &*c_name(name.as_ref())?;
        loop {
            fault::point()?;
            let file = match openat(&dir.0, at, flags, Mode::from_raw_mode(0o666)) {
                Ok(file) => file,
                Err(Errno::LOOP | Errno::MLINK) => return Err(io::ErrorKind::NotADirectory.into()),
                Err(error) => return Err(error.into()),
            };
            match flock(&file, FlockOperation::LockExclusive) {
                Err(Errno::INTR) => continue,
                result => result?,
            }
            // The previous holder may have removed the file. Then this lock would have no effect.
            let held = fstat(&file)?;
            match statat(&dir.0, at, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(named) if (named.st_dev, named.st_ino) == (held.st_dev, held.st_ino) => {
                    return Ok(Self { dir, name, _file: file });
                }
                Ok(_) | Err(Errno::NOENT) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Drop for WriteLock<'_> {
    fn drop(&mut self) {
        // A lock file that stays does no harm: the next process uses it.
        let _: io::Result<()> = self.dir.remove_file(self.name.as_ref());
    }
}
