//! Copies the files of a directory while their digests are computed, so that the digests are those of the
//! copied bytes.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use skills_files::Dir;

/// The destination of a copy, and the files to copy.
pub struct CopyTo<'a> {
    /// The path of an empty directory.
    pub path: &'a Path,
    /// Returns `true` for a path below the directory that is copied. If a directory is not wanted, nothing in
    /// it is copied.
    pub wanted: &'a dyn Fn(&str) -> bool,
}

/// One directory of the source, and the same directory of the copy.
pub(super) struct Copied<'a> {
    pub(super) to: &'a CopyTo<'a>,
    /// The real path of the directory that is copied.
    pub(super) root: &'a Path,
    pub(super) directory: Dir,
}

impl<'a> Copied<'a> {
    /// Creates a directory, and opens it.
    pub(super) fn directory(&self, name: &OsStr) -> io::Result<Self> {
        self.directory.create_dir(name)?;
        Ok(Self { to: self.to, root: self.root, directory: self.directory.open_dir(name)? })
    }

    /// Creates a file to write into.
    pub(super) fn file(&self, name: &OsStr, executable: bool) -> io::Result<File> {
        self.directory.create_file(name, executable)
    }

    /// Creates a link to the copy of the target, or to the target itself if that is outside the directory.
    /// `above` is the path of the link's directory.
    pub(super) fn link(&self, name: &OsStr, above: &str, target: &[u8]) -> io::Result<()> {
        let target = target_path(target);
        let whole = self.root.join(above).join(&target);
        let inside = normal(&whole).strip_prefix(self.root).map(|rest| self.to.path.join(rest));
        let target = match inside {
            Ok(_) if target.is_relative() => target,
            Ok(copy) => copy,
            Err(_) => whole,
        };
        self.directory.create_link(name, &target)
    }
}

/// Removes the parts `.` and `..` from a path, without looking at the disk.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::ParentDir => {
                normal.pop();
            }
            std::path::Component::CurDir => {}
            component => normal.push(component),
        }
    }
    normal
}

#[cfg(unix)]
fn target_path(target: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(target))
}

#[cfg(not(unix))]
fn target_path(target: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(target).into_owned())
}
