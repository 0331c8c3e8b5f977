//! Writes a change, one process at a time.

use skills_files::WriteLock;

use crate::journal::{self, staging};
use crate::{Change, Project, SourceError, Wanted};

/// The file that one process at a time holds while it writes.
const WRITER: &str = ".skills.lock.writer";

/// Writes a change. If another process is writing, waits until it has ended. Returns lines for people.
///
/// If another process did not complete its change, that change is completed first. An empty change writes
/// nothing else.
///
/// # Errors
/// Returns an error if the project has changed since the change was planned, or cannot be written. If the error
/// occurs before the journal is written, the skills are unchanged. After that, the next change completes this one.
pub fn apply(change: &Change, project: &Project) -> Result<Vec<String>, SourceError> {
    let _writer = WriteLock::wait(project.root.dir(), WRITER).map_err(SourceError::io(WRITER))?;
    let mut notes = journal::recover(project)?;
    if change.is_empty() {
        return Ok(notes);
    }
    let folder =
        change.steps.first().map(|step| step.directory().rsplit_once('/').map_or("", |(folder, _)| folder));
    let state = project.state(folder)?;
    change.check(&state)?;
    let wanted = || change.steps.iter().filter_map(|step| step.new.as_ref());
    // A process that was killed before it recorded anything may have left files in another folder.
    journal::clear(project, wanted().map(|new| &new.locked))?;
    let mut next = state.lock.clone();
    for step in &change.steps {
        match &step.new {
            Some(new) => next.insert(new.locked.clone()),
            None => next.take(step.name()),
        }
    }
    let recorded =
        wanted().try_for_each(|new| stage(project, new)).and_then(|()| journal::record(project, &next));
    if let Err(error) = recorded {
        // Report the first error. The next change removes files that cannot be removed now.
        let _ = journal::clear(project, wanted().map(|new| &new.locked));
        let _ = journal::remove_draft(project);
        return Err(error);
    }
    notes.extend(journal::complete(project, &state.lock, &next)?);
    Ok(notes)
}

/// Writes the files of a skill beside the skills.
fn stage(project: &Project, new: &Wanted) -> Result<(), SourceError> {
    let directory = staging(&new.locked);
    for (path, file) in &new.files {
        let path = directory.join(path);
        let written = project.root.create_parent(&path);
        let written =
            written.and_then(|(parent, name)| parent.write_new(&name, &file.bytes, file.executable));
        written.map_err(SourceError::io(path.display().to_string()))?;
    }
    Ok(())
}
