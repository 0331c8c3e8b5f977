//! Writes the result of fixes to disk. Each file is replaced as a whole by a rename. A directory that was
//! replaced since it was read is never followed.

use std::ffi::OsStr;
use std::fs::Permissions;
use std::io;
use std::path::{Path, PathBuf};

use skills_core::read::{Overlaid, Overlay};
use skills_files::{Dir, Root};

use super::{Found, MAX_FIXED};

/// Writes the result of fixes: first renames files, then replaces each changed file. All files lie below
/// `root`.
///
/// Unchanged files keep their times. `found` has the contents that must still be on disk.
///
/// # Errors
///
/// Fails before writing if a file is read-only, has changed since it was read, or leads out of the root. Also
/// fails if a file cannot be written; the files before it are then already written. The text begins with the
/// path of the file.
pub fn write(root: &Path, over: &Overlay, renamed: &[(PathBuf, PathBuf)], found: &Found) -> io::Result<()> {
    let named = |path: &Path, error: io::Error| {
        io::Error::new(error.kind(), format!("{}: {}", path.display(), error.to_string().to_lowercase()))
    };
    let root = Root::open(root).map_err(|error| named(root, error))?;
    for (path, then) in found {
        unchanged(&root, path, then.as_deref()).map_err(|error| named(path, error))?;
    }
    let is_new = |path: &Path| renamed.iter().any(|(_, new)| path.starts_with(new));
    for (path, _) in over.iter().filter(|(path, file)| file.is_some() && !is_new(path)) {
        root.create_parent(path).map_err(|error| named(path, error))?;
    }
    for (old, new) in renamed {
        // If a file was renamed twice, it is on disk only under the first old name.
        rename(&root, old, new).map_err(|error| named(old, error))?;
    }
    for (path, file) in over.iter() {
        let written = match file {
            Some(file) => match found.get(path).filter(|_| !is_new(path)) {
                Some(then) => {
                    unchanged(&root, path, then.as_deref()).and_then(|()| write_file(&root, path, file))
                }
                None => write_file(&root, path, file),
            },
            // On a case-insensitive file system, the old name still leads to the renamed file.
            None if renamed.iter().any(|(old, _)| path.starts_with(old)) => Ok(()),
            None => match root.parent(path).and_then(|(dir, name)| dir.remove_file(&name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                // The old name of a renamed file no longer exists.
                _ => Ok(()),
            },
        };
        written.map_err(|error| named(path, error))?;
    }
    Ok(())
}

fn rename(root: &Root, old: &Path, new: &Path) -> io::Result<()> {
    let ((from, old), (to, new)) = (root.parent(old)?, root.parent(new)?);
    from.rename(&old, &to, &new)
}

/// Checks that a file has not changed since it was read and that it may be written.
fn unchanged(root: &Root, path: &Path, found: Option<&[u8]>) -> io::Result<()> {
    let (dir, name) = match root.parent(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && found.is_none() => return Ok(()),
        parent => parent?,
    };
    match (dir.read(&name, MAX_FIXED), found) {
        (Ok(now), Some(then)) if now == then => {}
        (Err(error), None) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        (Err(error), Some(_)) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        // On a case-insensitive file system, the new name may already exist as the old name.
        (Ok(_), None) if !dir.names()?.contains(&name) => return Ok(()),
        _ => return Err(io::Error::other("it changed while it was being fixed; check again")),
    }
    if permissions(&dir, &name)?.is_some_and(|permissions| permissions.readonly()) {
        let text = "it is read-only; make it writable with `chmod u+w`, and run the fix again";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
    }
    Ok(())
}

fn write_file(root: &Root, path: &Path, file: &Overlaid) -> io::Result<()> {
    let (dir, name) = root.parent(path)?;
    let is_same = match dir.read(&name, MAX_FIXED) {
        Ok(now) => now == file.bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(error),
    };
    if !is_same {
        dir.replace(&name, &file.bytes, None)?;
    }
    if file.executable { make_executable(&dir, &name) } else { Ok(()) }
}

fn permissions(dir: &Dir, name: &OsStr) -> io::Result<Option<Permissions>> {
    Ok(dir.metadata(name)?.map(|found| found.permissions))
}

#[cfg(unix)]
fn make_executable(dir: &Dir, name: &OsStr) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let file = dir.open_file(name)?;
    let mode = file.metadata()?.permissions().mode();
    if mode & 0o111 != 0 {
        return Ok(());
    }
    // Every user who may read the file may execute it.
    file.set_permissions(Permissions::from_mode(mode | ((mode & 0o444) >> 2)))
}

#[cfg(not(unix))]
fn make_executable(_: &Dir, _: &OsStr) -> io::Result<()> {
    Ok(())
}
