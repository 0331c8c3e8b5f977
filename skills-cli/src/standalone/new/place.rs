//! Texts become a directory that was not there: written aside, then renamed.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::standalone::memory::Text;

/// Writes the files of a skill to `root/name`, all or none; what is there is never touched.
pub(super) fn write(root: &Path, name: &str, files: &[Text]) -> Result<(), String> {
    let target = root.join(name);
    if fs::symlink_metadata(&target).is_ok() {
        return Err(format!("{} exists already", target.display()));
    }
    let at = |path: &Path, error: &io::Error| format!("{} cannot be written: {error}", path.display());
    fs::create_dir_all(root).map_err(|error| at(root, &error))?;
    // Hidden, so that nobody takes it for a skill.
    let aside = Aside(root.join(format!(".{name}.new-{}", std::process::id())));
    fs::create_dir(&aside.0).map_err(|error| at(&aside.0, &error))?;
    for file in files {
        let path = aside.0.join(&file.path);
        write_file(&path, file).map_err(|error| at(&path, &error))?;
    }
    take(&aside.0, &target).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => format!("{} exists already", target.display()),
        _ => at(&target, &error),
    })
}

/// A directory that goes unless it was renamed.
struct Aside(PathBuf);

impl Drop for Aside {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Puts a directory into place. The name is claimed first by an empty directory: only one process gets it, and only an
/// empty directory is ever replaced.
#[cfg(unix)]
fn take(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    fs::rename(from, to).inspect_err(|_| {
        fs::remove_dir(to).ok();
    })
}

/// Puts a directory into place; renaming never replaces one here.
#[cfg(not(unix))]
fn take(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

fn write_file(path: &Path, file: &Text) -> io::Result<()> {
    if let Some(above) = path.parent() {
        fs::create_dir_all(above)?;
    }
    let mut handle = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    handle.write_all(file.text.as_bytes())?;
    if file.is_program() {
        make_executable(&handle)?;
    }
    handle.sync_all()
}

/// Lets everybody execute a file who may read it.
#[cfg(unix)]
fn make_executable(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    let mode = file.metadata()?.permissions().mode();
    file.set_permissions(PermissionsExt::from_mode(mode | (mode & 0o444) >> 2))
}

#[cfg(not(unix))]
fn make_executable(_: &fs::File) -> io::Result<()> {
    Ok(())
}
