//! Applies a draft. Every file is complete at every moment, and the next run completes a run that was killed.
//!
//! 1. Only one process writes at a target: it holds `.skills-busy`, which the system releases when it ends.
//! 2. All new files, including the lock file, are written to `.skills-tmp` beside the skills, and synchronized to the
//!    disk. If the disk is full, this step fails before anything was changed.
//! 3. The lock file is replaced with one that contains the old and the new digest of every file.
//! 4. Files are renamed into place, a new skill as a whole directory; others are removed.
//! 5. The lock file is replaced with the lock file of the finished state.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use skills_files::{Dir, WriteLock, is};

use super::compare::{File, Work, backup, last_part};
use super::draft::{Draft, draft};
use super::error::{Fallible, InstallError};
use super::found::Found;
use super::lock;
use super::request::Request;
use super::step::{Action, Step};

/// The lock file of the writing process.
pub(super) const BUSY: &str = ".skills-busy";

/// The directory for new files. Its contents are left over from a killed run.
pub(super) const STAGE: &str = ".skills-tmp";

/// The two new lock files before they are renamed.
const INTENDED: &str = "intended";
const SETTLED: &str = "settled";

/// Applies a request, and returns the executed steps.
///
/// With `planned`, applies only these steps. If the target has changed so that other steps are necessary, changes
/// nothing.
pub(super) fn apply(request: &Request<'_>, planned: Option<&[Step]>) -> Fallible<Vec<Step>> {
    let skills = request.open()?;
    let mut first = draft(request, skills.as_ref(), planned.is_none(), &mut |_, _| {})?;
    if first.is_empty() && !skills.as_ref().is_some_and(is_left_behind) {
        return Ok(std::mem::take(&mut first.steps));
    }
    drop(first);
    let skills = match skills {
        Some(skills) => skills,
        None => request.create()?,
    };
    let path = request.path();
    let _busy = begin(&skills, &path)?;
    // Another process may have written until now.
    let mut draft = draft(request, Some(&skills), false, &mut |_, _| {})?;
    if let Some(planned) = planned {
        let more = draft.steps.iter().find(|step| step.is_change() && !planned.contains(step));
        if let Some(step) = more {
            return Err(Box::new(InstallError::Changed { path: step.full_path() }));
        }
    }
    if !draft.is_empty() {
        let stage = Stage { skills: &skills, path: &path };
        stage.run(&mut draft).inspect_err(|_| {
            // Free the space of a full disk. If files cannot be removed now, the next run removes them.
            let _: io::Result<()> = skills.remove_tree(STAGE.as_ref());
        })?;
    }
    Ok(std::mem::take(&mut draft.steps))
}

/// Waits for the lock, and removes files of a killed run.
pub(super) fn begin<'a>(skills: &'a Dir, path: &Path) -> Fallible<WriteLock<'a>> {
    let busy = WriteLock::wait(skills, BUSY);
    let busy = busy.map_err(|error| InstallError::refused("lock", path, &[BUSY], error))?;
    clean(skills, path).map(|()| busy)
}

/// Removes the directory for new files.
pub(super) fn clean(skills: &Dir, path: &Path) -> Fallible<()> {
    let removed = skills.remove_tree(STAGE.as_ref());
    removed.map_err(|error| InstallError::refused("clean up", path, &[STAGE], error))
}

/// Returns `true` if a killed run left files, or another process is installing.
pub(super) fn is_left_behind(skills: &Dir) -> bool {
    [STAGE, BUSY].into_iter().any(|name| !matches!(Found::read(skills, name.as_ref()), Ok(Found::Missing)))
}

/// The directory of the skills, and the directory for new files.
struct Stage<'a> {
    skills: &'a Dir,
    path: &'a Path,
}

impl Stage<'_> {
    fn run(&self, draft: &mut Draft<'_>) -> Fallible<()> {
        let stage = self.skills.open_or_create_dir(STAGE.as_ref());
        let stage = stage.map_err(|error| self.refused("make", &[STAGE], error))?;
        for (number, work) in draft.work.iter().enumerate() {
            write(&stage, number, work)
                .map_err(|(path, error)| self.refused("write", &[&work.skill, path], error))?;
        }
        for (name, text) in [(INTENDED, &draft.intended), (SETTLED, &draft.settled)] {
            if !text.is_empty() {
                let result = stage.write_new(name.as_ref(), text.as_bytes(), false);
                result.map_err(|error| self.refused("write", &[lock::NAME], error))?;
            }
        }
        stage.sync().map_err(|error| self.refused("write", &[], error))?;

        if draft.damaged {
            self.set_lock_aside().map_err(|error| self.refused("set aside", &[lock::NAME], error))?;
        }
        self.place_lock(&stage, INTENDED, &draft.intended)?;
        for (number, work) in draft.work.iter().enumerate() {
            self.place(&stage, number, work, &mut draft.steps)?;
        }
        self.place_lock(&stage, SETTLED, &draft.settled)?;
        clean(self.skills, self.path)
    }

    fn refused(&self, doing: &'static str, below: &[&str], error: io::Error) -> Box<InstallError> {
        InstallError::refused(doing, self.path, below, error)
    }

    fn place_lock(&self, stage: &Dir, name: &str, text: &str) -> Fallible<()> {
        let placed = if text.is_empty() {
            remove(self.skills, lock::NAME.as_ref())
        } else {
            stage.rename(name.as_ref(), self.skills, lock::NAME.as_ref())
        };
        placed.map_err(|error| self.refused("write", &[lock::NAME], error))
    }

    /// Gives a damaged lock file a second name before the file is replaced.
    fn set_lock_aside(&self) -> io::Result<()> {
        first_free(lock::NAME, &|backup| keep_as(self.skills, lock::NAME.as_ref(), backup)).map(drop)
    }

    /// Moves the new files of a skill into place. A file that the user saved meanwhile is kept, and its step names
    /// it.
    fn place(&self, stage: &Dir, number: usize, work: &Work<'_>, steps: &mut [Step]) -> Fallible<()> {
        let (skill, name) = (&*work.skill, work.skill.as_ref());
        if work.fresh {
            let placed = stage.rename(skill_name(number).as_ref(), self.skills, name);
            return placed.map_err(|error| self.refused("make", &[skill], error));
        }
        let creates = work.files.iter().any(File::is_new);
        let dir =
            match if creates { self.skills.open_or_create_dir(name) } else { self.skills.open_dir(name) } {
                // A killed run removed everything.
                Err(error) if !creates && is(&error, io::ErrorKind::NotFound) => return Ok(()),
                dir => dir.map_err(|error| self.refused("open", &[skill], error))?,
            };
        for (inner, file) in work.files.iter().enumerate() {
            let path = &*file.path;
            let found = Found::below(&dir, path);
            let found = found.map_err(|error| self.refused("read", &[skill, path], error))?;
            if found != file.found && !file.is_new() {
                return Err(Box::new(InstallError::Changed { path: format!("{skill}/{path}") }));
            }
            let Some(action) = file.action() else { continue };
            let placed = place_file(stage, &file_name(number, inner), &dir, file, action);
            let saved = placed.map_err(|error| self.refused("write", &[skill, path], error))?;
            let Some(saved) = saved else { continue };
            let backup = path.strip_suffix(last_part(path)).unwrap_or_default().to_owned() + &saved;
            if let Some(step) =
                steps.iter_mut().find(|step| step.skill == skill && step.path.as_deref() == Some(path))
            {
                step.action = match step.action {
                    Action::Remove | Action::SetAside { .. } => Action::SetAside { backup },
                    _ => Action::Replace { backup },
                };
            }
        }
        let removed = self.skills.remove_if_empty(name);
        removed.map_err(|error| self.refused("remove", &[skill], error))
    }
}

/// Writes all new files of a skill. The error names the file.
fn write<'a>(stage: &Dir, number: usize, work: &'a Work<'_>) -> Result<(), (&'a str, io::Error)> {
    let created =
        if work.fresh { stage.open_or_create_dir(skill_name(number).as_ref()) } else { stage.try_clone() };
    let top = created.map_err(|error| ("", error))?;
    for (inner, file) in work.files.iter().enumerate() {
        let Some(wanted) = &file.want else { continue };
        let path = match file.action() {
            _ if work.fresh => file.path.clone(),
            Some(Action::Create | Action::Update | Action::Replace { .. } | Action::TakeOver { .. }) => {
                file_name(number, inner)
            }
            _ => continue,
        };
        top.open_parent(Path::new(&path), true)
            .and_then(|(dir, name)| dir.write_new(name, &wanted.bytes, wanted.executable))
            .map_err(|error| (&*file.path, error))?;
    }
    Ok(())
}

fn skill_name(number: usize) -> String {
    format!("skill-{number}")
}

fn file_name(number: usize, inner: usize) -> String {
    format!("file-{number}-{inner}")
}

/// Applies one change; `staged` is the new file. Returns the new name of a file that the user saved meanwhile.
fn place_file(
    stage: &Dir,
    staged: &str,
    dir: &Dir,
    file: &File<'_>,
    action: &Action,
) -> io::Result<Option<String>> {
    let staged = staged.as_ref();
    let path = Path::new(&file.path);
    let opened = dir.open_parent(path, file.is_new());
    let placed = opened.and_then(|(parent, name)| match action {
        Action::Create => place_new(stage, staged, &parent, name).map(|()| None),
        Action::Update | Action::TakeOver { backup: None } => {
            replace(stage, staged, &parent, name, file.found)
        }
        Action::Replace { backup } | Action::TakeOver { backup: Some(backup) } => {
            keep_as(&parent, name, last_part(backup).as_ref())?;
            replace(stage, staged, &parent, name, file.found)
        }
        Action::SetAside { backup } => {
            keep_as(&parent, name, last_part(backup).as_ref())?;
            take_away(stage, staged, &parent, name, file.found)
        }
        Action::Remove if matches!(file.found, Found::File { .. }) => {
            take_away(stage, staged, &parent, name, file.found)
        }
        Action::Remove | Action::Adopt | Action::Keep(_) => Ok(None),
    });
    match (action, placed) {
        (Action::Remove, Err(error)) if !is_gone(&error) => Err(error),
        (Action::Remove, placed) => {
            dir.remove_empty_parents(path)?;
            Ok(placed.ok().flatten())
        }
        (_, placed) => placed,
    }
}

/// Replaces a file with another. An editor may have saved the old file since it was compared. So the two files are
/// exchanged, and the old file is compared again. If it differs, it is kept under a new name, which is returned.
fn replace(
    stage: &Dir,
    staged: &OsStr,
    parent: &Dir,
    name: &OsStr,
    found: Found,
) -> io::Result<Option<String>> {
    if !stage.exchange(staged, parent, name)? || is_same(Found::read(stage, staged)?, found) {
        return Ok(None);
    }
    keep_saved(stage, staged, parent, name).map(Some)
}

/// Removes a file, which may be missing. If the user saved it since it was compared, it is kept under another name,
/// which is returned.
fn take_away(
    stage: &Dir,
    staged: &OsStr,
    parent: &Dir,
    name: &OsStr,
    found: Found,
) -> io::Result<Option<String>> {
    match parent.rename(name, stage, staged) {
        Err(error) if is(&error, io::ErrorKind::NotFound) => return Ok(None),
        Err(error) if is(&error, io::ErrorKind::CrossesDevices) => {
            return remove(parent, name).map(|()| None);
        }
        taken => taken?,
    }
    if is_same(Found::read(stage, staged)?, found) {
        return stage.remove_file(staged).map(|()| None);
    }
    keep_saved(stage, staged, parent, name).map(Some)
}

/// Returns `true` if a file still has the compared bytes.
fn is_same(now: Found, found: Found) -> bool {
    match (now, found) {
        (Found::File { digest: now, .. }, Found::File { digest: found, .. }) => now == found,
        (now, found) => now == found,
    }
}

/// Renames the user's version of a file to the first free name beside it.
fn keep_saved(stage: &Dir, staged: &OsStr, parent: &Dir, name: &OsStr) -> io::Result<String> {
    first_free(&name.to_string_lossy(), &|backup| place_new(stage, staged, parent, backup))
}

/// Keeps an entry under the first free backup name, and returns the name.
fn first_free(name: &str, keep: &dyn Fn(&OsStr) -> io::Result<()>) -> io::Result<String> {
    let mut number = 1;
    loop {
        let backup = backup(name, number);
        match keep(backup.as_ref()) {
            Err(error) if is(&error, io::ErrorKind::AlreadyExists) => number += 1,
            kept => return kept.map(|()| backup),
        }
    }
}

/// Returns `true` if the path to a file no longer exists, or a parent is not a directory.
fn is_gone(error: &io::Error) -> bool {
    is(error, io::ErrorKind::NotFound) || is(error, io::ErrorKind::NotADirectory)
}

/// Removes a file, which may be missing.
fn remove(parent: &Dir, name: &OsStr) -> io::Result<()> {
    match parent.remove_file(name) {
        Err(error) if is(&error, io::ErrorKind::NotFound) => Ok(()),
        removed => removed,
    }
}

/// Creates a file. An entry that was created meanwhile stays.
fn place_new(stage: &Dir, staged: &OsStr, parent: &Dir, name: &OsStr) -> io::Result<()> {
    match stage.link(staged, parent, name) {
        Err(error) if is(&error, io::ErrorKind::AlreadyExists) => Err(error),
        // A file system without hard links.
        Err(_) => stage.rename(staged, parent, name),
        Ok(()) => Ok(()),
    }
}

/// Keeps an entry under another name. If the system supports hard links, the old name stays until the file is
/// replaced.
fn keep_as(parent: &Dir, name: &OsStr, backup: &OsStr) -> io::Result<()> {
    match parent.link(name, parent, backup) {
        // A killed run has already kept it.
        Err(error) if is(&error, io::ErrorKind::AlreadyExists) => {
            if parent.is_same(name, parent, backup)? {
                Ok(())
            } else {
                Err(error)
            }
        }
        // A directory, or a file system without hard links.
        Err(_) => parent.rename(name, parent, backup),
        Ok(()) => Ok(()),
    }
}
