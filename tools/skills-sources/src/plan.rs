//! Decides changes: which skills are added, updated, restored or removed.

use crate::{Change, LOCK_FILE, Locked, Offer, OfferedSkill, SourceError, State, Step, Wanted};

/// Plans to add skills of several sources: the named skills, or all if no name is given. If one of them has
/// errors, nothing is added.
///
/// # Errors
/// Returns an error if a skill does not exist, has errors, or its directory is taken.
pub fn add(offers: &[Offer], names: &[String], to: &str, state: &State) -> Result<Change, SourceError> {
    let all = || offers.iter().flat_map(|offer| offer.skills.iter().map(move |skill| (offer, skill)));
    let shown = || offers.iter().map(|offer| offer.source.to_string()).collect::<Vec<_>>().join(", ");
    if let Some(name) = names.iter().find(|name| !all().any(|(_, skill)| skill.name == **name)) {
        let known: Vec<&str> = all().map(|(_, skill)| skill.name.as_str()).collect();
        let known = if known.is_empty() { "no skills".to_owned() } else { known.join(", ") };
        return Err(SourceError::Missing(format!("{} has no skill `{name}`; it has {known}", shown())));
    }
    let chosen = all().filter(|(_, skill)| names.is_empty() || names.contains(&skill.name));
    let chosen: Vec<(&Offer, &OfferedSkill)> = chosen.collect();
    if chosen.is_empty() {
        return Err(SourceError::Missing(format!("{} has no skills", shown())));
    }
    let mut change = Change::default();
    for (offer, skill) in &chosen {
        refuse(offer, skill, names.is_empty() && chosen.len() > 1)?;
        if chosen.iter().filter(|(_, other)| other.name.eq_ignore_ascii_case(&skill.name)).count() > 1 {
            return Err(SourceError::Refused(format!("{} has two skills named `{}`", shown(), skill.name)));
        }
        let directory = if to.is_empty() { skill.name.clone() } else { format!("{to}/{}", skill.name) };
        let old = state
            .lock
            .get(&skill.name)
            .filter(|old| old.source == offer.source && old.directory == directory);
        let new = wanted(offer, skill, directory);
        if old.is_none_or(|old| *old != new.locked) {
            change.steps.push(Step { old: old.cloned(), new: Some(new), may_miss: false });
        }
    }
    change.steps.sort_by(|a, b| a.name().cmp(b.name()));
    change.check(state)?;
    Ok(change)
}

/// Plans to update a locked skill to an offer of its source. Returns `None` if they are equal.
///
/// # Errors
/// Returns an error if the source no longer has the skill, the skill has errors, or the user has edited it.
pub fn update(locked: &Locked, offer: &Offer, state: &State) -> Result<Option<Step>, SourceError> {
    let skill = offer.skills.iter().find(|skill| skill.name == locked.name).ok_or_else(|| {
        let revision =
            offer.revision.as_deref().map(|revision| format!(" at {revision}")).unwrap_or_default();
        SourceError::Missing(format!(
            "{} has no skill `{}`{revision}: `skills remove {}` removes it here",
            offer.source, locked.name, locked.name
        ))
    })?;
    refuse(offer, skill, false)?;
    let new = wanted(offer, skill, locked.directory.clone());
    if new.locked == *locked {
        return Ok(None);
    }
    let step = Step { old: Some(locked.clone()), new: Some(new), may_miss: false };
    step.check(state)?;
    Ok(Some(step))
}

/// Plans to restore the missing files of a locked skill from an offer of its revision.
///
/// # Errors
/// Returns an error if the source no longer has the locked files, or the user has edited the skill.
pub fn restore(locked: &Locked, offer: &Offer, state: &State) -> Result<Step, SourceError> {
    let skill = offer.valid(&locked.name).ok_or_else(|| {
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
    let step = Step { old: Some(locked.clone()), new: Some(new), may_miss: true };
    step.check(state)?;
    Ok(step)
}

/// Plans to remove locked skills.
///
/// # Errors
/// Returns an error if a skill is not locked, or the user has edited it.
pub fn remove(names: &[String], state: &State) -> Result<Change, SourceError> {
    let steps = state.lock.select(names)?.into_iter();
    let mut steps: Vec<Step> =
        steps.map(|locked| Step { old: Some(locked.clone()), new: None, may_miss: true }).collect();
    steps.sort_by(|a, b| a.name().cmp(b.name()));
    steps.dedup_by(|a, b| a.name() == b.name());
    let change = Change { steps };
    change.check(state)?;
    Ok(change)
}

/// Returns the error for a skill with errors, which says how to leave it out.
fn refuse(offer: &Offer, skill: &OfferedSkill, has_others: bool) -> Result<(), SourceError> {
    if skill.is_valid() {
        return Ok(());
    }
    let errors = skill.findings.iter().filter(|finding| finding.is_error);
    let errors: String = errors.map(|finding| format!("\n{}", finding.text)).collect();
    let hint = if has_others { "\n`--skill NAME` adds other skills of the source" } else { "" };
    Err(SourceError::Refused(format!("`{}` of {} is refused:{errors}{hint}", skill.name, offer.source)))
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
