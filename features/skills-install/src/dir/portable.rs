//! A directory as a path, for systems without descriptors of directories.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::{Found, fault};

/// A directory.
#[derive(Debug)]
pub(crate) struct Dir(PathBuf);

impl Dir {
    /// Names the directory that the caller names; links on the way to it are the caller's.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() { Ok(Self(path.to_owned())) } else { Err(wrong_kind()) }
    }

    /// Names a directory in this one; the error is `NotADirectory` for a link too.
    pub(crate) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        let path = self.0.join(name);
        if fs::symlink_metadata(&path)?.is_dir() { Ok(Self(path)) } else { Err(wrong_kind()) }
    }

    /// Makes a directory.
    pub(crate) fn make(&self, name: &OsStr) -> io::Result<()> {
        fault::point()?;
        fs::create_dir(self.0.join(name))
    }

    /// Tells what stands at a name.
    pub(crate) fn look(&self, name: &OsStr) -> io::Result<Found> {
        let path = self.0.join(name);
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_file() => {
                Ok(Found::File { digest: super::digest(File::open(path)?)?, executable: None })
            }
            Ok(_) => Ok(Found::Other),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Missing),
            Err(error) => Err(error),
        }
    }

    /// Reads a regular file whole; the error is `NotADirectory` when it is of another kind.
    pub(crate) fn read(&self, name: &OsStr) -> io::Result<Vec<u8>> {
        let path = self.0.join(name);
        if fs::symlink_metadata(&path)?.is_file() { fs::read(path) } else { Err(wrong_kind()) }
    }

    /// Writes a new file.
    pub(crate) fn write(&self, name: &OsStr, bytes: &[u8], _executable: bool) -> io::Result<()> {
        fault::point()?;
        let file = File::create_new(self.0.join(name))?;
        super::write_all(&file, bytes)?;
        file.sync_all()
    }

    /// Moves a name to another directory; a file there is replaced.
    pub(crate) fn rename(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fault::point()?;
        fs::rename(self.0.join(name), to.0.join(new))
    }

    /// Moves a file in place of another: no two are exchanged here.
    pub(crate) fn exchange(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<bool> {
        self.rename(name, to, new).map(|()| false)
    }

    /// Gives a file a second name; nothing is replaced.
    pub(crate) fn link(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fault::point()?;
        fs::hard_link(self.0.join(name), to.0.join(new))
    }

    /// Removes a name that is no directory.
    pub(crate) fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        fault::point()?;
        fs::remove_file(self.0.join(name))
    }

    /// Removes an empty directory.
    pub(crate) fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        fault::point()?;
        fs::remove_dir(self.0.join(name))
    }

    /// Lists the names in the directory, sorted.
    pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = fs::read_dir(&self.0)?
            .map(|entry| entry.map(|entry| entry.file_name()))
            .collect::<io::Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }

    /// Tells whether two names are one file, which nothing here can: they are taken to be two.
    pub(crate) fn is_same(&self, _: &OsStr, _: &Self, _: &OsStr) -> io::Result<bool> {
        Ok(false)
    }

    /// Does nothing: every file was waited for when it was written.
    pub(crate) fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

fn wrong_kind() -> io::Error {
    io::ErrorKind::NotADirectory.into()
}

/// The right to write at a target, held by one process at a time and released by the system when it dies.
#[derive(Debug)]
pub(crate) struct Busy<'a> {
    dir: &'a Dir,
    name: &'static str,
    file: Option<File>,
}

impl<'a> Busy<'a> {
    /// Waits until no other process has the file of this name open.
    pub(crate) fn wait(dir: &'a Dir, name: &'static str) -> io::Result<Self> {
        /// The system's number for a file that another process keeps to itself.
        const SHARING_VIOLATION: i32 = 32;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(windows)]
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
        loop {
            match options.open(dir.0.join(name)) {
                Ok(file) => return Ok(Self { dir, name, file: Some(file) }),
                Err(error) if cfg!(windows) && error.raw_os_error() == Some(SHARING_VIOLATION) => {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        // Closed first: an open file cannot be removed. One that another process opened meanwhile stays.
        self.file = None;
        let _: io::Result<()> = self.dir.remove_file(self.name.as_ref());
    }
}
