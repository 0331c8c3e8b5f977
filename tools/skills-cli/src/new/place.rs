//! Writes texts to a new directory: writes them under a temporary name and then renames the directory.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use skills_commands::failure::CommandError;
use skills_files::{Dir, Root};

use crate::report::NewFile;

/// Writes all files of a skill to `root/name`, or none on failure. Never changes existing files.
pub(crate) fn write(root: &Path, name: &str, files: &[NewFile]) -> Result<(), CommandError> {
    let target = root.join(name);
    let opened = Root::create(root).map_err(|error| unwritten(root, error))?;
    let dir = opened.dir();
    if dir.metadata(name.as_ref()).map_err(|error| unwritten(&target, error))?.is_some() {
        return Err(unwritten(&target, io::ErrorKind::AlreadyExists.into()));
    }
    // A hidden directory is never read as a skill.
    let aside = format!(".{name}.new-{}", std::process::id());
    dir.create_dir(aside.as_ref()).map_err(|error| unwritten(&root.join(&aside), error))?;
    let written = fill(dir, aside.as_ref(), files);
    let placed = written.and_then(|()| take(dir, aside.as_ref(), name.as_ref()));
    placed.map_err(|error| {
        // Report the first error.
        dir.remove_tree(aside.as_ref()).ok();
        unwritten(&target, error)
    })
}

fn unwritten(path: &Path, error: io::Error) -> CommandError {
    match error.kind() {
        io::ErrorKind::AlreadyExists => format!("{} exists already", path.display()).into(),
        _ => CommandError::unwritable(path, error),
    }
}

fn fill(dir: &Dir, aside: &OsStr, files: &[NewFile]) -> io::Result<()> {
    let aside = dir.open_dir(aside)?;
    for file in files {
        let (dir, name) = aside.open_parent(Path::new(&file.path), true)?;
        dir.write_new(name, file.text.as_bytes(), file.is_program())?;
    }
    aside.sync()
}

/// Renames a directory into place. First claims the name with an empty directory: only one process can create
/// it, and a rename replaces only an empty directory.
#[cfg(unix)]
fn take(dir: &Dir, from: &OsStr, to: &OsStr) -> io::Result<()> {
    dir.create_dir(to)?;
    dir.rename(from, dir, to).inspect_err(|_| {
        dir.remove_dir(to).ok();
    })
}

/// Renames a directory into place. On this system a rename never replaces a directory.
#[cfg(not(unix))]
fn take(dir: &Dir, from: &OsStr, to: &OsStr) -> io::Result<()> {
    dir.rename(from, dir, to)
}
