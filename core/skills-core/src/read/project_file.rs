//! Reads the files of a project beside its skills: `skills.toml`, `skills.lock`, `Cargo.toml`, and the files that they
//! name. The project may be hostile: only regular files are read, with a limit, and nothing outside of a directory.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::inside;

/// The maximum size of a file that a person writes, such as `skills.toml` and the files that it names, in bytes.
pub const MAX_PROJECT_FILE: u64 = 16 << 20;

/// All keys of a project's files that name a file or a directory, each with the file that has it. A test tries each
/// with devices, pipes, links and paths that lead out of the project.
pub const FILE_KEYS: [(&str, &str); 5] = [
    (crate::config::NAME, "commands"),
    (crate::package::MANIFEST, "package.workspace"),
    (crate::package::MANIFEST, "package.metadata.skills.path"),
    (crate::package::vendored::SOURCE, "its first line"),
    (super::LOCK_FILE, "skill.directory"),
];

/// Reads a file that must be a regular file of at most `limit` bytes. Links are followed. Does not wait for a pipe, and
/// does not open a device.
///
/// # Errors
/// The error of the system. The kind is `InvalidInput` for anything but a regular file, and `FileTooLarge` for a larger
/// one.
pub fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    // The first look avoids opening a device, which can have effects. The second is at the file that is read.
    regular(&fs::metadata(path)?)?;
    let file = inside::open(path)?;
    regular(&file.metadata()?)?;
    read_opened(file, limit)
}

/// Reads a file as [`read_file`] does, which must be below a directory once all links are followed. The path is relative
/// to the directory, or absolute.
///
/// # Errors
/// See [`read_file`]. The kind is `PermissionDenied` for a file outside of the directory.
pub fn read_below(directory: &Path, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let real = real_below(directory, path)?;
    regular(&fs::metadata(&real)?)?;
    let (file, metadata) = super::open_inside(&directory.canonicalize()?, &real)?;
    regular(&metadata)?;
    read_opened(file, limit)
}

/// Returns the real path of an entry, which must be below a directory once all links are followed.
///
/// # Errors
/// The error of the system. The kind is `PermissionDenied` for an entry outside of the directory.
pub(crate) fn real_below(directory: &Path, path: &Path) -> io::Result<PathBuf> {
    let real = directory.join(path).canonicalize()?;
    match real.starts_with(directory.canonicalize()?) {
        true => Ok(real),
        false => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("it leads out of {}", directory.display()),
        )),
    }
}

fn regular(metadata: &fs::Metadata) -> io::Result<()> {
    match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

fn read_opened(file: File, limit: u64) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {limit} bytes"));
    if file.metadata()?.len() > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|size| size <= limit) { Ok(bytes) } else { Err(too_large()) }
}

/// Reads a text as [`read_file`] does.
///
/// # Errors
/// See [`read_file`]. The kind is `InvalidData` for a text that is not UTF-8.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    utf8(read_file(path, limit)?)
}

/// Reads a text as [`read_below`] does.
///
/// # Errors
/// See [`read_below`]. The kind is `InvalidData` for a text that is not UTF-8.
pub fn read_text_below(directory: &Path, path: &Path, limit: u64) -> io::Result<String> {
    utf8(read_below(directory, path, limit)?)
}

fn utf8(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}
