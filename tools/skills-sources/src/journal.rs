//! The journal of a change: the next lock file, which is written before the first file is moved. A process that finds
//! it moves the remaining files into place, and then the lock file.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use skills_files::{Dir, FileKind};

use crate::files::MAX_FILE;
use crate::{FileState, LOCK_FILE, Lock, Locked, Project, SourceError};

/// The next lock file.
pub(crate) const JOURNAL: &str = ".skills.lock.new";
/// The next lock file while it is written.
const DRAFT: &str = ".skills.lock.tmp";
/// The directory beside the skills into which new files are written first.
pub(crate) const STAGING: &str = ".skills-tmp";

/// Returns the directory of the new files of a skill, relative to the project.
pub(crate) fn staging(locked: &Locked) -> PathBuf {
    Path::new(locked.folder()).join(STAGING).join(&locked.name)
}

/// Completes the change that a killed process has recorded, or removes what it wrote before it recorded anything. Returns
/// lines for people. The caller holds the lock of the project.
pub(crate) fn recover(project: &Project) -> Result<Vec<String>, SourceError> {
    remove_draft(project)?;
    let Some(next) = project.read(JOURNAL)? else {
        // Nothing was moved yet.
        let lock = project.lock()?;
        clear(project, lock.skills())?;
        return Ok(Vec::new());
    };
    let mut notes = vec!["an earlier change was interrupted, and is completed now".to_owned()];
    notes.extend(complete(project, &project.lock()?, &next)?);
    Ok(notes)
}

/// Records the next lock file. From then on, the change is completed and not undone.
pub(crate) fn record(project: &Project, next: &Lock) -> Result<(), SourceError> {
    let root = project.root.dir();
    root.write_new(DRAFT.as_ref(), next.to_text().as_bytes(), false).map_err(SourceError::io(DRAFT))?;
    sync(project)?;
    root.rename(DRAFT.as_ref(), root, JOURNAL.as_ref()).map_err(SourceError::io(JOURNAL))
}

/// Removes a next lock file that was not written completely.
pub(crate) fn remove_draft(project: &Project) -> Result<(), SourceError> {
    match project.root.dir().remove_file(DRAFT.as_ref()) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(SourceError::Io(DRAFT.to_owned(), error))
        }
        _ => Ok(()),
    }
}

/// Moves the new files into place, removes the old ones, and puts the lock file in place. Returns a line for each file of
/// the user that was kept. It can be repeated after a kill at any point.
pub(crate) fn complete(project: &Project, old: &Lock, next: &Lock) -> Result<Vec<String>, SourceError> {
    let mut notes = Vec::new();
    let names: BTreeSet<&str> =
        old.skills().chain(next.skills()).map(|locked| locked.name.as_str()).collect();
    for name in names {
        let (old, new) = (old.get(name), next.get(name));
        let is_staged = new.is_some_and(|new| project.path().join(staging(new)).symlink_metadata().is_ok());
        if old == new && !is_staged {
            continue;
        }
        // The old files go first, because a new file may need the name of an old directory.
        let stays = |path: &str| {
            new.is_some_and(|new| {
                old.is_some_and(|old| old.directory == new.directory) && new.files.get(path).is_some()
            })
        };
        for (path, state) in old.iter().flat_map(|old| old.files.iter()).filter(|(path, _)| !stays(path)) {
            let path = Path::new(old.map_or("", |old| &old.directory)).join(path);
            remove(project, &path, state, &mut notes).map_err(SourceError::io(path.display().to_string()))?;
        }
        if let Some(new) = new
            && !place_directory(project, new).map_err(SourceError::io(new.directory.clone()))?
        {
            place_all(project, old, new, &mut notes)?;
        }
    }
    sync(project)?;
    let root = project.root.dir();
    root.rename(JOURNAL.as_ref(), root, LOCK_FILE.as_ref()).map_err(SourceError::io(LOCK_FILE))?;
    clear(project, old.skills().chain(next.skills()))?;
    Ok(notes)
}

/// Moves the whole directory of a skill into place if nothing is there. Returns `false` otherwise.
fn place_directory(project: &Project, new: &Locked) -> io::Result<bool> {
    let (from, name) = match project.root.parent(&staging(new)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        found => found?,
    };
    let (to, directory) = project.root.create_parent(Path::new(&new.directory))?;
    let is_free = to.metadata(&directory)?.is_none() && from.metadata(&name)?.is_some();
    if is_free {
        from.rename(&name, &to, &directory)?;
    }
    Ok(is_free)
}

/// Moves the new files of a skill into place, one after the other.
fn place_all(
    project: &Project,
    old: Option<&Locked>,
    new: &Locked,
    notes: &mut Vec<String>,
) -> Result<(), SourceError> {
    for (path, state) in new.files.iter() {
        let target = Path::new(&new.directory).join(path);
        let shown = target.display().to_string();
        let staged = project.root.parent(&staging(new).join(path));
        let expected = old.and_then(|old| old.files.get(path));
        let placed = match staged {
            Ok((from, name)) => place(project, (&from, &name), &target, state, expected, notes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        };
        placed.map_err(SourceError::io(shown))?;
    }
    Ok(())
}

/// Moves one new file into place. An existing file is kept as `.bak` unless it is unchanged since it was locked.
fn place(
    project: &Project,
    (from, name): (&Dir, &OsStr),
    target: &Path,
    state: &FileState,
    expected: Option<&FileState>,
    notes: &mut Vec<String>,
) -> io::Result<()> {
    let (to, file) = project.root.create_parent(target)?;
    if digest(from, name)?.as_ref() == Some(&state.digest) {
        // If there is a link or a directory, it is kept, and this is an error.
        digest(&to, &file)?;
        from.exchange(name, &to, &file)?;
    }
    // The file that was there before, either now or before an interrupted run moved it.
    let Some(displaced) = digest(from, name)? else { return Ok(()) };
    if expected.is_some_and(|expected| expected.digest == displaced) || displaced == state.digest {
        return from.remove_file(name);
    }
    let mut backup = file.clone();
    backup.push(".bak");
    while to.metadata(&backup)?.is_some() {
        backup.push("~");
    }
    notes.push(format!(
        "{} was edited meanwhile; your version is kept as {}",
        target.display(),
        backup.display()
    ));
    from.rename(name, &to, &backup)
}

/// Removes a locked file, unless the user has changed it.
fn remove(project: &Project, path: &Path, state: &FileState, notes: &mut Vec<String>) -> io::Result<()> {
    use io::ErrorKind::{NotADirectory, NotFound};
    let (directory, name) = match project.root.parent(path) {
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => return Ok(()),
        found => found?,
    };
    match directory.metadata(&name)?.map(|found| found.kind) {
        None => {}
        // An interrupted run may already have moved the new directory into place.
        Some(FileKind::Directory) => return Ok(()),
        Some(FileKind::File) if digest(&directory, &name)? == Some(state.digest) => {
            directory.remove_file(&name)?
        }
        Some(_) => {
            notes.push(format!("{} was edited meanwhile, and is kept", path.display()));
            return Ok(());
        }
    }
    project.root.dir().remove_empty_parents(path)
}

/// Returns the digest of a regular file, or `None` if nothing has this name.
fn digest(directory: &Dir, name: &OsStr) -> io::Result<Option<[u8; 32]>> {
    match directory.metadata(name)?.map(|found| found.kind) {
        None => Ok(None),
        Some(FileKind::File) => match directory.read(name, MAX_FILE) {
            Ok(bytes) => Ok(Some(FileState::new(&bytes, false).digest)),
            // No file of a lock is so large, so it was edited.
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => Ok(Some(FileState::TOO_LARGE)),
            Err(error) => Err(error),
        },
        Some(_) => Err(io::Error::other("it is a link or a directory now; nothing there was changed")),
    }
}

/// Removes the staging directories of skills.
pub(crate) fn clear<'l>(
    project: &Project,
    skills: impl Iterator<Item = &'l Locked>,
) -> Result<(), SourceError> {
    let folders: BTreeSet<&str> = skills.map(Locked::folder).chain(["skills"]).collect();
    for folder in folders {
        let path = Path::new(folder).join(STAGING);
        match project.root.parent(&path) {
            Ok((directory, name)) => {
                directory.remove_tree(&name).map_err(SourceError::io(path.display().to_string()))?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(SourceError::Io(path.display().to_string(), error)),
        }
    }
    Ok(())
}

/// Waits until everything is on the disk.
pub(crate) fn sync(project: &Project) -> Result<(), SourceError> {
    project.root.dir().sync().map_err(SourceError::io("."))
}
