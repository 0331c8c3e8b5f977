//! The skills of the project's dependencies, for `skills sync --dependencies`.

use std::process::ExitCode;

use skills_commands::terminal;
use skills_sources::{Change, Dependency, Locked, Offer, Project, State, add, dependencies, restore, update};

use super::{failed, offer};
use crate::init::agrees;

/// The directory for the skills of new dependencies.
const FOLDER: &str = "skills";

/// Plans the changes: adds the skills of each new dependency to which the user agrees, and updates the locked
/// skills of the other dependencies.
pub(super) fn changes(project: &Project, state: &State, yes: bool) -> Result<(Change, Vec<Offer>), ExitCode> {
    let (mut change, mut offers) = (Change::default(), Vec::new());
    for dependency in dependencies(project).map_err(failed)? {
        let is_of = |locked: &&Locked| locked.source.is_same_package(&dependency.source);
        let locked: Vec<&Locked> = state.lock.skills().filter(is_of).collect();
        let is_new = locked.is_empty();
        let is_current = |locked: &&Locked| {
            locked.revision.as_ref() == Some(&dependency.version)
                && state.tree.get(&locked.directory) == Some(&locked.files)
        };
        let locked: Vec<&Locked> = locked.into_iter().filter(|locked| !is_current(locked)).collect();
        if !is_new && locked.is_empty() {
            continue;
        }
        let mut offer = offer(&dependency.source, project, None).map_err(failed)?;
        if is_new {
            let names = usable(&mut offer, |name| taken(name, &change, project, state));
            if names.is_empty() || !(yes || is_wanted(&dependency, &names)?) {
                continue;
            }
            let offers = std::slice::from_ref(&offer);
            change.steps.extend(add(offers, &names, FOLDER, state).map_err(failed)?.steps);
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

/// Returns the names of the skills that have no errors and whose names are not used yet. Reports the others, which do
/// not prevent the rest from being added.
fn usable(offer: &mut Offer, taken: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let source = offer.source.to_string();
    offer.skills.retain(|skill| {
        let fault =
            skill.findings.iter().find(|finding| finding.is_error).map(|finding| finding.text.clone());
        let fault = fault.or_else(|| (!skill.is_valid()).then(|| "it has an error".to_owned()));
        let reason = fault.or_else(|| taken(&skill.name));
        if let Some(reason) = &reason {
            terminal::note(format_args!("`{}` of {source} is left out: {reason}", skill.name));
        }
        reason.is_none()
    });
    offer.skills.iter().map(|skill| skill.name.clone()).collect()
}

/// Returns the reason if a skill cannot be added because another skill has its name.
fn taken(name: &str, change: &Change, project: &Project, state: &State) -> Option<String> {
    let planned = change.steps.iter().filter_map(|step| step.new.as_ref()).map(|new| &new.locked);
    let other = planned.chain(state.lock.skills()).find(|locked| locked.name.eq_ignore_ascii_case(name));
    let is_there = || project.path().join(FOLDER).join(name).exists();
    match other {
        Some(locked) => Some(format!("{} has a skill of this name", locked.source)),
        None => is_there().then(|| format!("`{FOLDER}/{name}` already exists")),
    }
}

/// Asks whether the skills of a dependency are wanted.
fn is_wanted(dependency: &Dependency, names: &[String]) -> Result<bool, ExitCode> {
    let Dependency { source, version } = dependency;
    let question = format!("{source} {version} ships {}. Add?", names.join(", "));
    agrees(&skills_text::visible(&question)).map_err(|reason| {
        terminal::usage(format!("{reason}; {source} is new, and `skills add {source}` adds its skills"))
    })
}
