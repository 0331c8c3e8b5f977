//! Applies a draft. Every file is complete at every moment, and the next run completes a run that was killed.
//!
//! 1. Only one process writes at a target: it holds `.skills-busy`, which the system releases when it ends.
//! 2. All new files, including the lock file, are written to `.skills-tmp` beside the skills, and synchronized to the
//!    disk. If the disk is full, this step fails before anything was changed.
//! 3. The lock file is replaced with one that contains the old and the new digest of every file.
//! 4. Files are renamed into place, a new skill as a whole directory; others are removed.
//! 5. The lock file is replaced with that of the finished state.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use skills_files::{Dir, WriteLock};

use super::compare::{Change, Work, backups};
use super::draft::{Draft, draft};
use super::error::InstallError;
use super::found::Found;
use super::lock::{self, Lock};
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
pub(super) fn apply(request: &Request<'_>, planned: Option<&[Step]>) -> Result<Vec<Step>, InstallError> {
    let skills = request.open()?;
    let first = draft(request, skills.as_ref())?;
    if first.is_empty() && !skills.as_ref().is_some_and(is_left_behind) {
        return Ok(first.steps);
    }
    let skills = match skills {
        Some(skills) => skills,
        None => request.create()?,
    };
    let path = request.path();
    let _busy = begin(&skills, &path)?;
    // Another process may have written until now.
    let mut draft = draft(request, Some(&skills))?;
    if let Some(planned) = planned {
        let more = draft.steps.iter().find(|step| step.is_change() && !planned.contains(step));
        if let Some(step) = more {
            return Err(InstallError::Changed { path: step.full_path() });
        }
    }
    if !draft.is_empty() {
        let stage = Stage { skills: &skills, path: &path };
        stage.run(&mut draft).inspect_err(|_| {
            // Free the space of a full disk. If files cannot be removed now, the next run removes them.
            let _: io::Result<()> = skills.remove_tree(STAGE.as_ref());
        })?;
    }
    Ok(draft.steps)
}

/// Waits for the lock, and removes files of a killed run.
pub(super) fn begin<'a>(skills: &'a Dir, path: &Path) -> Result<WriteLock<'a>, InstallError> {
    let busy = WriteLock::wait(skills, BUSY).map_err(InstallError::at("lock", path.join(BUSY)))?;
    clean(skills, path).map(|()| busy)
}

/// Removes the directory for new files.
pub(super) fn clean(skills: &Dir, path: &Path) -> Result<(), InstallError> {
    skills.remove_tree(STAGE.as_ref()).map_err(InstallError::at("clean up", path.join(STAGE)))
}

/// Returns `true` if a killed run left files, or another process is installing.
pub(super) fn is_left_behind(skills: &Dir) -> bool {
    [STAGE, BUSY].into_iter().any(|name| !matches!(Found::at(skills, name.as_ref()), Ok(Found::Missing)))
}

/// The directory of the skills, and the directory for new files.
struct Stage<'a> {
    skills: &'a Dir,
    path: &'a Path,
}

impl Stage<'_> {
    fn run(&self, draft: &mut Draft<'_>) -> Result<(), InstallError> {
        let staging = InstallError::at("make", self.path.join(STAGE));
        let stage = self.skills.open_or_create_dir(STAGE.as_ref()).map_err(staging)?;
        for (number, work) in draft.work.iter().enumerate() {
            write(&stage, number, work).map_err(|(path, error)| {
                InstallError::at("write", self.path.join(&work.skill).join(path))(error)
            })?;
        }
        let lock_path = self.path.join(lock::NAME);
        for (name, lock) in [(INTENDED, &draft.intended), (SETTLED, &draft.settled)] {
            if let Some(text) = lock.text() {
                let result = stage.write_new(name.as_ref(), text.as_bytes(), false);
                result.map_err(InstallError::at("write", &lock_path))?;
            }
        }
        stage.sync().map_err(InstallError::at("write", self.path))?;

        if draft.damaged {
            self.set_lock_aside().map_err(InstallError::at("set aside", &lock_path))?;
        }
        self.place_lock(&stage, INTENDED, &draft.intended)?;
        for (number, work) in draft.work.iter().enumerate() {
            self.place(&stage, number, work, &mut draft.steps)?;
        }
        self.place_lock(&stage, SETTLED, &draft.settled)?;
        clean(self.skills, self.path)
    }

    fn place_lock(&self, stage: &Dir, name: &str, lock: &Lock) -> Result<(), InstallError> {
        let placed = if lock.skills.is_empty() {
            remove(self.skills, lock::NAME.as_ref())
        } else {
            stage.rename(name.as_ref(), self.skills, lock::NAME.as_ref())
        };
        placed.map_err(InstallError::at("write", self.path.join(lock::NAME)))
    }

    /// Gives a damaged lock file a second name before the file is replaced.
    fn set_lock_aside(&self) -> io::Result<()> {
        first_free(lock::NAME, |backup| keep_as(self.skills, lock::NAME.as_ref(), backup)).map(drop)
    }

    /// Moves the new files of a skill into place. A file that the user saved meanwhile is kept, and its step names
    /// it.
    fn place(
        &self,
        stage: &Dir,
        number: usize,
        work: &Work<'_>,
        steps: &mut [Step],
    ) -> Result<(), InstallError> {
        let at = self.path.join(&work.skill);
        if work.fresh {
            let placed = stage.rename(skill_name(number).as_ref(), self.skills, work.skill.as_ref());
            return placed.map_err(InstallError::at("make", &at));
        }
        let creates = work.changes.iter().any(Change::is_new);
        let name = work.skill.as_ref();
        let dir =
            match if creates { self.skills.open_or_create_dir(name) } else { self.skills.open_dir(name) } {
                // A killed run removed everything.
                Err(error) if !creates && error.kind() == io::ErrorKind::NotFound => return Ok(()),
                dir => dir.map_err(InstallError::at("open", &at))?,
            };
        for (inner, change) in work.changes.iter().enumerate() {
            let is_same =
                Found::below(&dir, &change.path).map(|found| found == change.found || change.is_new());
            if !is_same.map_err(InstallError::at("read", at.join(&change.path)))? {
                return Err(InstallError::Changed { path: format!("{}/{}", work.skill, change.path) });
            }
            let backup = place_file(stage, &file_name(number, inner), &dir, change)
                .map_err(InstallError::at("write", at.join(&change.path)))?;
            let Some(backup) = backup else { continue };
            let above = change.path.strip_suffix(last_part(&change.path)).unwrap_or_default();
            let backup = format!("{above}{backup}");
            let is_its = |step: &&mut Step| {
                step.skill == work.skill && step.path.as_deref() == Some(change.path.as_str())
            };
            if let Some(step) = steps.iter_mut().find(is_its) {
                let is_removed = matches!(step.action, Action::Remove | Action::SetAside { .. });
                step.action =
                    if is_removed { Action::SetAside { backup } } else { Action::Replace { backup } };
            }
        }
        self.skills.remove_if_empty(work.skill.as_ref()).map_err(InstallError::at("remove", &at))
    }
}

/// Writes all new files of a skill. The error names the file.
fn write<'a>(stage: &Dir, number: usize, work: &'a Work<'_>) -> Result<(), (&'a str, io::Error)> {
    if work.fresh {
        let skill = stage.open_or_create_dir(skill_name(number).as_ref()).map_err(|error| ("", error))?;
        for change in &work.changes {
            let Some(wanted) = &change.wanted else { continue };
            skill
                .open_parent(Path::new(&change.path), true)
                .and_then(|(dir, name)| dir.write_new(name, &wanted.bytes, wanted.executable))
                .map_err(|error| (change.path.as_str(), error))?;
        }
        return Ok(());
    }
    for (inner, change) in work.changes.iter().enumerate() {
        let is_written = matches!(
            change.action,
            Action::Create | Action::Update | Action::Replace { .. } | Action::TakeOver { .. }
        );
        if let (true, Some(wanted)) = (is_written, &change.wanted) {
            let name = file_name(number, inner);
            let written = stage.write_new(name.as_ref(), &wanted.bytes, wanted.executable);
            written.map_err(|error| (change.path.as_str(), error))?;
        }
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
fn place_file(stage: &Dir, staged: &str, dir: &Dir, change: &Change<'_>) -> io::Result<Option<String>> {
    let staged = staged.as_ref();
    let creates = matches!(change.action, Action::Create);
    let place = |parent: &Dir, name: &OsStr| match &change.action {
        Action::Create => place_new(stage, staged, parent, name).map(|()| None),
        Action::Update | Action::TakeOver { backup: None } => {
            replace(stage, staged, parent, name, change.found)
        }
        Action::Replace { backup } | Action::TakeOver { backup: Some(backup) } => {
            keep_as(parent, name, last_part(backup).as_ref())?;
            replace(stage, staged, parent, name, change.found)
        }
        Action::SetAside { backup } => {
            keep_as(parent, name, last_part(backup).as_ref())?;
            take_away(stage, staged, parent, name, change.found)
        }
        Action::Remove if matches!(change.found, Found::File { .. }) => {
            take_away(stage, staged, parent, name, change.found)
        }
        Action::Remove | Action::Adopt | Action::Keep(_) => Ok(None),
    };
    let path = Path::new(&change.path);
    let placed = dir.open_parent(path, creates).and_then(|(parent, name)| place(&parent, name));
    match (&change.action, placed) {
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
    if !stage.exchange(staged, parent, name)? || is_same(Found::at(stage, staged)?, found) {
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
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            return remove(parent, name).map(|()| None);
        }
        taken => taken?,
    }
    if is_same(Found::at(stage, staged)?, found) {
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
    first_free(&name.to_string_lossy(), |backup| place_new(stage, staged, parent, backup))
}

/// Keeps an entry under the first free backup name, and returns the name.
fn first_free(name: &str, keep: impl Fn(&OsStr) -> io::Result<()>) -> io::Result<String> {
    for backup in backups(name) {
        match keep(backup.as_ref()) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            kept => return kept.map(|()| backup),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Returns `true` if the path to a file no longer exists, or a parent is not a directory.
fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Removes a file, which may be missing.
fn remove(parent: &Dir, name: &OsStr) -> io::Result<()> {
    match parent.remove_file(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Creates a file. An entry that was created meanwhile stays.
fn place_new(stage: &Dir, staged: &OsStr, parent: &Dir, name: &OsStr) -> io::Result<()> {
    match stage.link(staged, parent, name) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
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
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if parent.is_same(name, parent, backup)? { Ok(()) } else { Err(error) }
        }
        // A directory, or a file system without hard links.
        Err(_) => parent.rename(name, parent, backup),
        Ok(()) => Ok(()),
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, last)| last)
}
