//! What fixes came to is written to disk: each file whole, by a rename (SPEC 17.3).

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::read::{Overlaid, Overlay};

/// Writes the files of an overlay to disk and takes away those it hides; first, files get their new names.
///
/// A file that is the same on disk is left alone, so that its times stay.
///
/// # Errors
/// A file cannot be written; those before it are.
pub fn write(over: &Overlay, renamed: &[(PathBuf, PathBuf)]) -> io::Result<()> {
    for (old, new) in renamed {
        // A file that was renamed twice is only where the first renaming finds it.
        fs::rename(old, new)?;
    }
    for (path, file) in over.iter() {
        match file {
            Some(file) => put(path, file)?,
            None => match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                // The old name of a file that was renamed is gone already.
                _ => {}
            },
        }
    }
    Ok(())
}

fn put(path: &Path, file: &Overlaid) -> io::Result<()> {
    let before = fs::metadata(path).ok();
    if before.is_none() || fs::read(path)? != file.bytes {
        let directory = path.parent().unwrap_or(Path::new("."));
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let new = directory.join(format!(".{name}.{}.new", std::process::id()));
        let written = (|| {
            let mut out = fs::OpenOptions::new().write(true).create_new(true).open(&new)?;
            out.write_all(&file.bytes)?;
            if let Some(before) = &before {
                out.set_permissions(before.permissions())?;
            }
            out.sync_all()?;
            fs::rename(&new, path)
        })();
        if written.is_err() {
            fs::remove_file(&new).ok();
        }
        written?;
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
    // Whoever may read it may execute it.
    fs::set_permissions(path, fs::Permissions::from_mode(mode | ((mode & 0o444) >> 2)))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}
