//! What is to be done in a skill, file by file: decided by `compare`, done by `apply`.

use super::dir::Found;
use super::step::Action;
use super::wanted::Wanted;

/// What is to be done in one skill.
#[derive(Debug)]
pub(super) struct Work<'a> {
    pub(super) skill: String,
    /// Whether the whole directory is new.
    pub(super) fresh: bool,
    /// Removals first, so that a directory can take the place of a file.
    pub(super) changes: Vec<Change<'a>>,
}

/// What is to be done with one file.
#[derive(Debug)]
pub(super) struct Change<'a> {
    pub(super) path: String,
    pub(super) action: Action,
    /// What was found there.
    pub(super) found: Found,
    /// What is to be written there.
    pub(super) wanted: Option<Wanted<'a>>,
}

impl Change<'_> {
    /// Tells whether the file is put where nothing is.
    pub(super) fn is_new(&self) -> bool {
        self.action == Action::Create
    }
}
