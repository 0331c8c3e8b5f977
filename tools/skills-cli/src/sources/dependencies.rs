//! The skills of the project's dependencies, for `skills sync --dependencies`.

use std::process::ExitCode;

use skills_commands::terminal;
use skills_sources::{
    Change, Dependency, LeftOut, Locked, Offer, Project, ProjectState, SkillChange, SourceError, add,
    dependencies, restore, update,
};

use super::{failed, offer};
use crate::asking::agrees;

/// The directory for the skills of new dependencies.
const FOLDER: &str = "skills";

/// Plans the changes: adds the skills of each new dependency to which the user agrees, and updates the locked
/// skills of the other dependencies.
pub(super) fn changes(
    project: &Project,
    state: &ProjectState,
    yes: bool,
) -> Result<(Change, Vec<Offer>), ExitCode> {
    let (mut change, mut offers) = (Change::default(), Vec::new());
    for dependency in dependencies(project).map_err(failed)? {
        let mut locked: Vec<&Locked> =
            state.lock.skills().filter(|locked| locked.source.is_same_package(&dependency.source)).collect();
        let is_new = locked.is_empty();
        locked.retain(|locked| {
            locked.revision.as_ref() != Some(&dependency.version)
                || state.tree.get(&locked.directory) != Some(&locked.files)
        });
        if !is_new && locked.is_empty() {
            continue;
        }
        let mut offer = offer(&dependency.source, project, None).map_err(failed)?;
        if is_new {
            let left_out = leave_out_taken(&mut offer, |name| find_taken(name, &change, project, state));
            change.left_out.extend(left_out);
            if offer.skills.is_empty() {
                continue;
            }
            let added = match add(std::slice::from_ref(&offer), &[], FOLDER, state) {
                // Skills with errors do not prevent the change of other dependencies.
                Err(SourceError::Refused(reason)) => {
                    terminal::note(reason);
                    continue;
                }
                added => added.map_err(failed)?,
            };
            let names: Vec<&str> = added.steps.iter().map(SkillChange::name).collect();
            if !(yes || is_wanted(&dependency, &names)?) {
                continue;
            }
            change.steps.extend(added.steps);
            change.left_out.extend(added.left_out);
        }
        for locked in locked {
            // If the version is unchanged, restore missing files. If it differs, update the skills.
            match locked.revision.as_ref() == Some(&dependency.version) {
                true => change.steps.push(restore(locked, &offer, state).map_err(failed)?),
                false => change.steps.extend(update(locked, &offer, state).map_err(failed)?),
            }
        }
        offers.push(offer);
    }
    Ok((change, offers))
}

/// Removes the skills whose names are used already from an offer, and returns them with the reasons.
fn leave_out_taken(offer: &mut Offer, find_taken: impl Fn(&str) -> Option<String>) -> Vec<LeftOut> {
    let (mut kept, mut left_out) = (Vec::new(), Vec::new());
    for skill in std::mem::take(&mut offer.skills) {
        match find_taken(&skill.name) {
            Some(reason) => {
                let source = offer.source.clone();
                left_out.push(LeftOut { source, name: skill.name, path: skill.path, reason });
            }
            None => kept.push(skill),
        }
    }
    offer.skills = kept;
    left_out
}

/// Returns the reason if a skill cannot be added because another skill has its name.
fn find_taken(name: &str, change: &Change, project: &Project, state: &ProjectState) -> Option<String> {
    let planned = change.steps.iter().filter_map(|step| step.new.as_ref()).map(|new| &new.locked);
    let other = planned.chain(state.lock.skills()).find(|locked| locked.name.eq_ignore_ascii_case(name));
    if let Some(locked) = other {
        return Some(format!("{} has a skill of this name", locked.source));
    }
    let is_there = project.path().join(FOLDER).join(name).exists();
    is_there.then(|| format!("`{FOLDER}/{name}` already exists"))
}

/// Asks whether the skills of a dependency are wanted.
fn is_wanted(dependency: &Dependency, names: &[&str]) -> Result<bool, ExitCode> {
    let Dependency { source, version } = dependency;
    let question = format!("{source} {version} ships {}. Add?", names.join(", "));
    agrees(&skills_text::visible(&question)).map_err(|reason| {
        terminal::usage(format!("{reason}; {source} is new, and `skills add {source}` adds its skills"))
    })
}
