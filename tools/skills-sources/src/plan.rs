//! Decides changes: which skills are added, updated, restored or removed.

use std::collections::BTreeMap;

use skills_registry::{same_directory, standard_name};

use crate::{
    Change, LOCK_FILE, LeftOut, Locked, Offer, OfferedSkill, ProjectState, SkillChange, SourceError, Wanted,
};

/// A skill with its source.
type Candidate<'o> = (&'o Offer, &'o OfferedSkill);

/// Plans to add skills of several sources: the named skills, or all if no name is given. Without names, skills with
/// errors are left out. Of several skills with one name, the first without errors is added.
///
/// # Errors
/// Returns an error if no skill can be added, if a named skill does not exist, has errors, or has a namesake with other
/// files, or if the directory of a skill is taken.
pub fn add(
    offers: &[Offer],
    names: &[String],
    to: &str,
    state: &ProjectState,
) -> Result<Change, SourceError> {
    let mut by_name: BTreeMap<String, Vec<Candidate<'_>>> = BTreeMap::new();
    let mut known: Vec<&str> = Vec::new();
    for offer in offers {
        for skill in &offer.skills {
            known.push(&skill.name);
            if names.is_empty() || names.contains(&skill.name) {
                let key = same_directory(&standard_name(&skill.name, true));
                by_name.entry(key).or_default().push((offer, skill));
            }
        }
    }
    let shown = offers.iter().map(|offer| offer.source.to_string()).collect::<Vec<_>>().join(", ");
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        let known = if known.is_empty() { "no skills".to_owned() } else { known.join(", ") };
        return Err(SourceError::Missing(format!("{shown} has no skill `{name}`; it has {known}")));
    }
    if by_name.is_empty() {
        return Err(SourceError::Missing(format!("{shown} has no skills")));
    }
    let mut change = Change::default();
    let mut chosen: Vec<Candidate<'_>> = Vec::new();
    for candidates in by_name.values() {
        chosen.extend(choose(candidates, !names.is_empty(), &mut change.left_out)?);
    }
    if let Some(first) = change.left_out.first().filter(|_| chosen.is_empty()) {
        return Err(SourceError::Refused(format!(
            "`{}` of {} is refused:\n{}",
            first.name, first.source, first.reason
        )));
    }
    for (offer, skill) in chosen {
        let directory = if to.is_empty() { skill.name.clone() } else { format!("{to}/{}", skill.name) };
        let old = state
            .lock
            .get(&skill.name)
            .filter(|old| old.source == offer.source && old.directory == directory);
        let new = wanted(offer, skill, directory);
        if old.is_none_or(|old| *old != new.locked) {
            change.steps.push(SkillChange { old: old.cloned(), new: Some(new), may_miss: false });
        }
    }
    change.steps.sort_by(|a, b| a.name().cmp(b.name()));
    change.check(state)?;
    Ok(change)
}

/// Chooses the first skill without errors of those with one name. Adds the others to `left_out`.
///
/// # Errors
/// Returns an error if the user named the skill, and all have errors or two have different files.
fn choose<'o>(
    candidates: &[Candidate<'o>],
    is_named: bool,
    left_out: &mut Vec<LeftOut>,
) -> Result<Option<Candidate<'o>>, SourceError> {
    let chosen = candidates.iter().find(|(_, skill)| skill.is_valid()).copied();
    for &(offer, skill) in candidates {
        let reason = match chosen {
            Some((_, first)) if std::ptr::eq(first, skill) => continue,
            Some((at, first)) if skill.is_valid() => {
                let place = place(at, first);
                match skill.files == first.files {
                    true => format!("it is a copy of {place}"),
                    false if is_named => {
                        return Err(SourceError::Refused(format!(
                            "two different skills are named `{}`: {place} and {}\nadd one of them by its directory in the source",
                            skill.name,
                            self::place(offer, skill)
                        )));
                    }
                    false => format!("{place} has the same name"),
                }
            }
            None if is_named => return Err(refusal(offer, skill)),
            _ => errors(skill),
        };
        let (source, name, path) = (offer.source.clone(), skill.name.clone(), skill.path.clone());
        left_out.push(LeftOut { source, name, path, reason });
    }
    Ok(chosen)
}

/// Returns the place of a skill for a message: its path in a source.
fn place(offer: &Offer, skill: &OfferedSkill) -> String {
    let path = if skill.path.is_empty() { "." } else { &skill.path };
    format!("`{path}` of {}", offer.source)
}

/// Plans to update a locked skill to an offer of its source. Returns `None` if they are equal.
///
/// # Errors
/// Returns an error if the source no longer has the skill, the skill has errors, or the user has edited it.
pub fn update(
    locked: &Locked,
    offer: &Offer,
    state: &ProjectState,
) -> Result<Option<SkillChange>, SourceError> {
    let skill = offer.find(locked).ok_or_else(|| {
        let revision =
            offer.revision.as_deref().map(|revision| format!(" at {revision}")).unwrap_or_default();
        SourceError::Missing(format!(
            "{} has no skill `{}`{revision}: `skills remove {}` removes it here",
            offer.source, locked.name, locked.name
        ))
    })?;
    if !skill.is_valid() {
        return Err(refusal(offer, skill));
    }
    let new = wanted(offer, skill, locked.directory.clone());
    if new.locked == *locked {
        return Ok(None);
    }
    let step = SkillChange { old: Some(locked.clone()), new: Some(new), may_miss: false };
    step.check(state)?;
    Ok(Some(step))
}

/// Plans to restore the missing files of a locked skill from an offer of its revision.
///
/// # Errors
/// Returns an error if the source no longer has the locked files, or the user has edited the skill.
pub fn restore(locked: &Locked, offer: &Offer, state: &ProjectState) -> Result<SkillChange, SourceError> {
    let skill = offer.find(locked).filter(|skill| skill.is_valid()).ok_or_else(|| {
        SourceError::Missing(format!("{} does not have `{}` without errors", locked.origin(), locked.name))
    })?;
    let changes = locked.files.compare(&skill.states());
    if !changes.is_empty() {
        return Err(SourceError::Refused(format!(
            "the files of `{}` in {} do not have the digests of {LOCK_FILE}:\n{}",
            locked.name,
            locked.origin(),
            changes.0
        )));
    }
    let new = Wanted { locked: locked.clone(), files: skill.files.clone() };
    let step = SkillChange { old: Some(locked.clone()), new: Some(new), may_miss: true };
    step.check(state)?;
    Ok(step)
}

/// Plans to remove locked skills.
///
/// # Errors
/// Returns an error if a skill is not locked, or the user has edited it.
pub fn remove(names: &[String], state: &ProjectState) -> Result<Change, SourceError> {
    let steps = state.lock.select(names)?.into_iter();
    let mut steps: Vec<SkillChange> =
        steps.map(|locked| SkillChange { old: Some(locked.clone()), new: None, may_miss: true }).collect();
    steps.sort_by(|a, b| a.name().cmp(b.name()));
    steps.dedup_by(|a, b| a.name() == b.name());
    let change = Change { steps, ..Change::default() };
    change.check(state)?;
    Ok(change)
}

/// Returns the errors of a skill, one a line.
fn errors(skill: &OfferedSkill) -> String {
    let errors = skill.findings.iter().filter(|finding| finding.is_error);
    errors.map(|finding| finding.text.as_str()).collect::<Vec<_>>().join("\n")
}

fn refusal(offer: &Offer, skill: &OfferedSkill) -> SourceError {
    SourceError::Refused(format!("`{}` of {} is refused:\n{}", skill.name, offer.source, errors(skill)))
}

fn wanted(offer: &Offer, skill: &OfferedSkill, directory: String) -> Wanted {
    let locked = Locked {
        name: skill.name.clone(),
        directory,
        source: offer.source.clone(),
        revision: offer.revision.clone(),
        path: skill.path.clone(),
        license: skill.license.clone(),
        permissions: skill.permissions.clone(),
        programs: skill.programs.clone(),
        hidden: skill.hidden.clone(),
        files: skill.states(),
    };
    Wanted { locked, files: skill.files.clone() }
}
