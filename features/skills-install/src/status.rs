//! Returns the states of the skills at a target.

use super::compare::Compared;
use super::draft::{Subject, draft};
use super::error::Fallible;
use super::request::Request;
use super::step::{FileStatus, Reason, SkillStatus, State};
use super::verdict::Verdict;

/// Returns the state of every skill.
pub(super) fn statuses(request: &Request<'_>) -> Fallible<Vec<SkillStatus>> {
    let skills = request.open()?;
    let mut statuses = Vec::new();
    draft(request, skills.as_ref(), false, &mut |subject, compared| {
        statuses.extend(status(subject, compared))
    })?;
    Ok(statuses)
}

fn status(subject: &Subject<'_, '_>, compared: Option<&Compared<'_, '_>>) -> Option<SkillStatus> {
    let files = compared.map(file_statuses).unwrap_or_default();
    let in_bundle = subject.skill.is_some();
    let state = match compared {
        Some(_) if !in_bundle && files.is_empty() => return None,
        Some(compared) => state_of(&files, in_bundle, compared),
        None if !in_bundle && !subject.is_retired => State::LeftOut,
        None => State::Foreign,
    };
    Some(SkillStatus {
        name: subject.name.clone().into_owned(),
        state,
        owner: subject.installed.map(|installed| installed.bundle.clone()),
        installed: subject.installed.map(|installed| installed.version.clone()),
        stub: subject.installed.and_then(|installed| installed.stub.clone()),
        has_changed: compared.is_some_and(has_changed),
        files,
    })
}

/// Returns `true` if a file of the bundle differs from the file that the bundle installed.
fn has_changed(compared: &Compared<'_, '_>) -> bool {
    compared.files.iter().any(|file| {
        let installed = file.entry.as_ref().and_then(|entry| entry.digest);
        installed != file.want.as_ref().map(|want| want.digest)
    })
}

fn file_statuses(compared: &Compared<'_, '_>) -> Vec<FileStatus> {
    compared
        .files
        .iter()
        .filter_map(|file| match &file.decided {
            None | Some((_, Verdict::Forget)) => None,
            Some((state, _)) => {
                Some(FileStatus { path: file.path.clone(), state: *state, reason: file.reason().cloned() })
            }
        })
        .collect()
}

/// Derives the state of a skill from its files.
fn state_of(files: &[FileStatus], in_bundle: bool, compared: &Compared<'_, '_>) -> State {
    let Compared { ours, foreign, deleted, .. } = *compared;
    let removed_by_user = files.iter().any(|file| file.reason == Some(Reason::Deleted));
    if foreign {
        State::Foreign
    } else if !in_bundle {
        State::Orphaned
    } else if !ours && any_in(State::Foreign, files) {
        State::Foreign
    } else if !ours || deleted {
        State::Missing
    } else if any_in(State::Modified, files) || any_in(State::Foreign, files) || removed_by_user {
        State::Modified
    } else if any_in(State::Outdated, files)
        || any_in(State::Orphaned, files)
        || any_in(State::Missing, files)
    {
        State::Outdated
    } else {
        State::Current
    }
}

fn any_in(state: State, files: &[FileStatus]) -> bool {
    files.iter().any(|file| file.state == state)
}
