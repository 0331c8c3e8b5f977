//! Compares the skills before and after a reload.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use skills_registry::Skill;

use skills_runtime::layers::Found;
use skills_runtime::layers::Layers;
use skills_runtime::layers::Problem;

/// The changes of a reload. Names are sorted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Changes {
    /// New skills.
    pub added: Vec<String>,
    /// Skills that no longer exist or can no longer be loaded. A renamed skill is here and in `added`.
    pub removed: Vec<String>,
    /// Skills with a changed text or file, or from another place.
    pub changed: Vec<String>,
    /// New problems.
    pub new_problems: Vec<Problem>,
    /// Problems that no longer exist.
    pub solved_problems: Vec<Problem>,
    /// The current skills.
    pub layers: Arc<Layers>,
}

impl Changes {
    /// Returns `true` if no skill and no problem changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.removed.is_empty()
            && self.changed.is_empty()
            && self.new_problems.is_empty()
            && self.solved_problems.is_empty()
    }

    pub(super) fn between(before: &Layers, after: Arc<Layers>) -> Self {
        let (old, new) = (skill_names(before), skill_names(&after));
        let mut changed = Vec::new();
        let mut all = before.all().peekable();
        for found in after.all() {
            while all.next_if(|other| other.skill.name() < found.skill.name()).is_some() {}
            let other = all.next_if(|other| other.skill.name() == found.skill.name());
            if other.is_some_and(|other| !is_equal(other, found)) {
                changed.push(found.skill.name().to_owned());
            }
        }
        Self {
            added: new.difference(&old).cloned().collect(),
            removed: old.difference(&new).cloned().collect(),
            changed,
            new_problems: beyond(after.problems(), before.problems()),
            solved_problems: beyond(before.problems(), after.problems()),
            layers: after,
        }
    }
}

fn skill_names(layers: &Layers) -> BTreeSet<String> {
    layers.all().map(|found| found.skill.name().to_owned()).collect()
}

fn is_equal(a: Found<'_>, b: Found<'_>) -> bool {
    a.origin == b.origin
        && a.trust == b.trust
        && a.skill.dir() == b.skill.dir()
        && match a.skill.is_remote() {
            true => digests(a.skill).eq(digests(b.skill)),
            false => files(a.skill).eq(files(b.skill)),
        }
}

/// Returns the digests of the files of a server's skill, so that files are compared without reading them.
fn digests<'a>(skill: Skill<'a>) -> impl Iterator<Item = (&'a str, &'a [u8; 32])> {
    skill.files().map(|file| (file.path(), file.sha256()))
}

fn files<'a>(skill: Skill<'a>) -> impl Iterator<Item = (&'a str, bool, &'a [u8])> {
    skill.files().map(|file| (file.path(), file.is_executable(), file.bytes()))
}

/// Returns the problems that are not in another list.
fn beyond(problems: &[Problem], others: &[Problem]) -> Vec<Problem> {
    let others: HashSet<&Problem> = others.iter().collect();
    problems.iter().filter(|problem| !others.contains(problem)).cloned().collect()
}
