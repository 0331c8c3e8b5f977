//! Writes the result of fixes to disk: each file as a whole, by a rename.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Found;
use crate::read::{Overlaid, Overlay};

/// Writes the result of fixes: renames files first, then replaces each changed file.
///
/// Leaves unchanged files alone, so that their times stay. `found` has the contents that must still be on
/// disk.
///
/// # Errors
/// Fails before writing if a file is read-only or has changed since it was read. Also fails if a file cannot
/// be written; the files before it are written. The message begins with the path of the file.
pub fn write(over: &Overlay, renamed: &[(PathBuf, PathBuf)], found: &Found) -> io::Result<()> {
    let named = |path: &Path, error: io::Error| {
        io::Error::new(error.kind(), format!("{}: {}", path.display(), error.to_string().to_lowercase()))
    };
    for (path, then) in found {
        unchanged(path, then.as_deref()).map_err(|error| named(path, error))?;
    }
    for (old, new) in renamed {
        // A file that was renamed twice is found only by the first rename.
        fs::rename(old, new).map_err(|error| named(old, error))?;
    }
    let is_new = |path: &Path| renamed.iter().any(|(_, new)| new == path);
    for (path, file) in over.iter() {
        let written = match file {
            Some(file) => match found.get(path).filter(|_| !is_new(path)) {
                Some(then) => unchanged(path, then.as_deref()).and_then(|()| put(path, file)),
                None => put(path, file),
            },
            None => match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                // The old name of a renamed file no longer exists.
                _ => Ok(()),
            },
        };
        written.map_err(|error| named(path, error))?;
    }
    Ok(())
}

/// Checks that a file has not changed since it was read, and that it may be written.
fn unchanged(path: &Path, found: Option<&[u8]>) -> io::Result<()> {
    match (fs::read(path), found) {
        (Ok(now), Some(then)) if now == then => {}
        (Err(error), None) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        (Err(error), Some(_)) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        // On a case-insensitive file system the new name already exists as the old one.
        (Ok(_), None) if !is_listed(path) => return Ok(()),
        _ => return Err(io::Error::other("it changed while it was being fixed; check again")),
    }
    if fs::metadata(path)?.permissions().readonly() {
        let text = "it is read-only; make it writable, for example with `chmod u+w`";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    Ok(())
}

/// Returns `true` if a directory lists a file by exactly its name.
fn is_listed(path: &Path) -> bool {
    let entries = path.parent().and_then(|above| fs::read_dir(above).ok());
    entries
        .into_iter()
        .flatten()
        .flatten()
        .any(|entry| Some(entry.file_name().as_os_str()) == path.file_name())
}

fn put(path: &Path, file: &Overlaid) -> io::Result<()> {
    let before = fs::metadata(path).ok();
    if before.is_none() || fs::read(path)? != file.bytes {
        skills_registry::replace(path, &file.bytes, before.map(|before| before.permissions()))?;
    }
    if file.executable { make_executable(path) } else { Ok(()) }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path)?.permissions().mode();
    if mode & 0o111 != 0 {
        return Ok(());
    }
    // Everyone who may read the file may also execute it.
    fs::set_permissions(path, fs::Permissions::from_mode(mode | ((mode & 0o444) >> 2)))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}
