//! Implements a directory as a path that is checked before each call, for systems without descriptors of directories.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::dir::{FileKind, Metadata};
use crate::dir::{no_file, part};
use crate::fault;

/// A directory. Each call takes one name in it, not a path, and refuses links.
#[derive(Debug)]
pub struct Dir(PathBuf);

#[allow(missing_docs, clippy::missing_errors_doc)] // These derives match the other systems.
impl Dir {
    pub fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() { Ok(Self(path.to_owned())) } else { Err(no_directory()) }
    }

    pub fn open_dir(&self, name: &OsStr) -> io::Result<Self> {
        let path = self.path(name)?;
        if fs::symlink_metadata(&path)?.is_dir() { Ok(Self(path)) } else { Err(no_directory()) }
    }

    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(Self(self.0.clone()))
    }

    pub fn create_dir(&self, name: &OsStr) -> io::Result<()> {
        fault::point()?;
        fs::create_dir(self.path(name)?)
    }

    pub fn create_private_dir(&self, name: &OsStr) -> io::Result<()> {
        self.create_dir(name)
    }

    pub fn metadata(&self, name: &OsStr) -> io::Result<Option<Metadata>> {
        let found = match fs::symlink_metadata(self.path(name)?) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let kind = if found.is_symlink() {
            FileKind::Link
        } else if found.is_dir() {
            FileKind::Directory
        } else if found.is_file() {
            FileKind::File
        } else {
            FileKind::Other
        };
        Ok(Some(Metadata { kind, is_executable: None, permissions: found.permissions(), id: None }))
    }

    pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
        let path = self.path(name)?;
        if fs::symlink_metadata(&path)?.is_file() { File::open(path) } else { Err(no_file()) }
    }

    pub fn create_file(&self, name: &OsStr, _executable: bool) -> io::Result<File> {
        fault::point()?;
        File::create_new(self.path(name)?)
    }

    pub fn read_link(&self, name: &OsStr) -> io::Result<Vec<u8>> {
        Ok(fs::read_link(self.path(name)?)?.to_string_lossy().into_owned().into_bytes())
    }

    pub fn create_link(&self, _name: &OsStr, _target: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn rename(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fault::point()?;
        fs::rename(self.path(name)?, to.path(new)?)
    }

    /// Moves a file over another one, which gets the name of the moved file. Returns `false` if the file system has no
    /// hard links; then the other file is gone.
    ///
    /// These systems cannot exchange files. The replaced file gets a second name first, so only a file that is saved
    /// between that and the next system call is lost.
    pub fn exchange(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<bool> {
        fault::point()?;
        let (moved, replaced) = (self.path(name)?, to.path(new)?);
        let mut second = moved.clone().into_os_string();
        second.push(".old");
        let is_kept = fs::hard_link(&replaced, &second).is_ok();
        fs::rename(&moved, replaced)?;
        if is_kept {
            fs::rename(second, moved)?;
        }
        Ok(is_kept)
    }

    pub fn link(&self, name: &OsStr, to: &Self, new: &OsStr) -> io::Result<()> {
        fault::point()?;
        fs::hard_link(self.path(name)?, to.path(new)?)
    }

    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        fault::point()?;
        fs::remove_file(self.path(name)?)
    }

    pub fn remove_dir(&self, name: &OsStr) -> io::Result<()> {
        fault::point()?;
        fs::remove_dir(self.path(name)?)
    }

    pub fn remove_tree(&self, name: &OsStr) -> io::Result<()> {
        fault::point()?;
        let path = self.path(name)?;
        let removed = match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => fs::remove_dir_all(path),
            Ok(_) => fs::remove_file(path),
            Err(error) => Err(error),
        };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = fs::read_dir(&self.0)?
            .map(|entry| entry.map(|entry| entry.file_name()))
            .collect::<io::Result<Vec<_>>>()?;
        skills_text::sort(&mut names, &|a, b| a.cmp(b));
        Ok(names)
    }

    /// Does nothing: every file is synchronized when it is written.
    pub fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    fn path(&self, name: &OsStr) -> io::Result<PathBuf> {
        Ok(self.0.join(part(name)?))
    }
}

fn no_directory() -> io::Error {
    io::ErrorKind::NotADirectory.into()
}

/// The lock of a directory for writing. One process holds it at a time, and the system releases it when the process
/// ends.
#[derive(Debug)]
pub struct WriteLock<'a> {
    dir: &'a Dir,
    name: &'static str,
    file: Option<File>,
}

impl<'a> WriteLock<'a> {
    /// Waits until no other process has the lock file open.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn wait(dir: &'a Dir, name: &'static str) -> io::Result<Self> {
        /// The error code of the system for a file that another process has opened exclusively.
        const SHARING_VIOLATION: i32 = 32;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(windows)]
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
        loop {
            match options.open(dir.path(name.as_ref())?) {
                Ok(file) => return Ok(Self { dir, name, file: Some(file) }),
                Err(error) if cfg!(windows) && error.raw_os_error() == Some(SHARING_VIOLATION) => {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for WriteLock<'_> {
    fn drop(&mut self) {
        // The file is closed first, since an open file cannot be removed. If another process has opened it
        // meanwhile, the file stays.
        self.file = None;
        let _: io::Result<()> = self.dir.remove_file(self.name.as_ref());
    }
}
