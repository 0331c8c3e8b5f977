//! A change of the locked skills. All of it is decided before anything is written.

use std::collections::BTreeMap;

use crate::{LOCK_FILE, Locked, OfferedFile, ProjectState, Source, SourceError};

/// The steps of a change, one for each skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The steps, sorted by name.
    pub steps: Vec<SkillChange>,
    /// The skills that cannot be added, or that an added skill replaces, sorted by name.
    pub left_out: Vec<LeftOut>,
}

/// A skill of a source that a change leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its source.
    pub source: Source,
    /// Its name.
    pub name: String,
    /// Its path in the source.
    pub path: String,
    /// The reason, which may have several lines.
    pub reason: String,
}

/// The change of one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillChange {
    /// The skill in the lock file before the change. `None` for a new skill.
    pub old: Option<Locked>,
    /// The skill after the change. `None` for a removed skill.
    pub new: Option<Wanted>,
    /// Whether the change restores or removes files that are in the lock but missing in the tree. If so, missing
    /// files do not prevent the change.
    pub(crate) may_miss: bool,
}

/// A skill after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its entry in the lock file.
    pub locked: Locked,
    /// Its files.
    pub files: BTreeMap<String, OfferedFile>,
}

impl SkillChange {
    /// Returns the name of the skill.
    pub fn name(&self) -> &str {
        self.entry().map_or("", |locked| &locked.name)
    }

    /// Returns the directory of the skill, relative to the project.
    pub fn directory(&self) -> &str {
        self.entry().map_or("", |locked| &locked.directory)
    }

    /// Returns `true` if the step only restores missing files, so that the lock file does not change.
    pub fn is_restored(&self) -> bool {
        self.old.as_ref().zip(self.new.as_ref()).is_some_and(|(old, new)| *old == new.locked)
    }

    fn entry(&self) -> Option<&Locked> {
        self.new.as_ref().map(|new| &new.locked).or(self.old.as_ref())
    }

    /// Checks that the project has not changed since the step was planned, and that the user would lose nothing.
    pub(crate) fn check(&self, state: &ProjectState) -> Result<(), SourceError> {
        let (name, directory) = (self.name(), self.directory());
        if state.lock.get(name) != self.old.as_ref() {
            let reason = match (&self.old, state.lock.get(name)) {
                (None, Some(there)) => {
                    format!("is there already, from {}: `skills update {name}`", there.origin())
                }
                _ => format!("was changed in {LOCK_FILE} meanwhile: run the command again"),
            };
            return Err(SourceError::Conflict(format!("`{name}` {reason}")));
        }
        let found = state.tree.get(directory);
        if let Some(old) = &self.old {
            let changes = old.files.compare(&found.cloned().unwrap_or_default());
            if changes.is_empty() || (self.may_miss && changes.is_only_missing()) {
                return Ok(());
            }
            return Err(SourceError::Conflict(format!(
                "{directory} was edited, and nothing was changed:\n{}\nkeep your version elsewhere; then delete \
                 {directory}, and `skills sync` restores it",
                changes.0
            )));
        }
        let other = state.tree.named(name, directory);
        let elsewhere = state.lock.skills().find(|locked| locked.directory.eq_ignore_ascii_case(directory));
        match (found, other, elsewhere) {
            (Some(_), ..) => Err(SourceError::Conflict(format!(
                "{directory} is there already, and {LOCK_FILE} does not have it: rename or remove it first"
            ))),
            (None, Some(other), _) => {
                Err(SourceError::Conflict(format!("{other} has the name `{name}` already")))
            }
            (None, None, Some(locked)) => {
                Err(SourceError::Conflict(format!("{directory} belongs to `{}` already", locked.name)))
            }
            (None, None, None) => Ok(()),
        }
    }
}

impl Change {
    /// Returns `true` if there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Checks every step.
    pub(crate) fn check(&self, state: &ProjectState) -> Result<(), SourceError> {
        self.steps.iter().try_for_each(|step| step.check(state))
    }
}
