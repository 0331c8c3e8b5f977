//! Merges layers by name: for each name, and for names that differ in `-` and `_`, the highest layer wins. Used
//! for layers at run time, and by the command for the directories that it installs from.

use std::collections::HashMap;

use skills_registry::ident_key;

use super::layer::Layer;

/// The position of a skill: its layer, and its row there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    /// The layer, from the lowest.
    pub layer: usize,
    /// The position in the layer.
    pub row: u32,
}

/// The merged skills of all layers.
#[derive(Debug, Default)]
pub struct Merged {
    /// The winning skills, sorted by name.
    pub winners: Vec<At>,
    /// The hidden skills, each with the skill that finally won; by layer, then by name.
    pub shadowed: Vec<(At, At)>,
    /// The winner of each name; names that differ in `-` and `_` have the same key.
    by_name: HashMap<String, At>,
}

impl Merged {
    /// Merges layers, given lowest first.
    pub(super) fn of(layers: &[Layer]) -> Self {
        Self::of_names(&layers.iter().map(Layer::names).collect::<Vec<_>>())
    }

    /// Merges layers, the lowest first. Each layer lists the names of its skills, and whether each may run.
    pub fn of_names(layers: &[Vec<(&str, bool)>]) -> Self {
        let mut by_name = HashMap::new();
        let mut lost = Vec::new();
        // An untrusted skill hides nothing (SPEC 14.13), so untrusted skills are added first.
        for may_run in [false, true] {
            for (layer, skills) in layers.iter().enumerate() {
                for ((name, _), row) in skills.iter().zip(0..).filter(|((_, own), _)| *own == may_run) {
                    lost.extend(by_name.insert(ident_key(name).into_owned(), At { layer, row }));
                }
            }
        }
        let mut winners: Vec<At> = by_name.values().copied().collect();
        winners.sort_unstable_by_key(|at| name_at(*at, layers));
        let mut shadowed: Vec<(At, At)> = lost
            .into_iter()
            .filter_map(|at| Some((at, *by_name.get(ident_key(name_at(at, layers)).as_ref())?)))
            .collect();
        shadowed.sort_unstable_by_key(|(lost, _)| (lost.layer, lost.row));
        Self { winners, shadowed, by_name }
    }

    /// Returns the skill with a name, or with a name that differs only in `-` and `_`.
    pub(super) fn winner(&self, name: &str) -> Option<At> {
        self.by_name.get(ident_key(name).as_ref()).copied()
    }
}

fn name_at<'n>(at: At, layers: &[Vec<(&'n str, bool)>]) -> &'n str {
    let row = usize::try_from(at.row).unwrap_or(usize::MAX);
    layers.get(at.layer).and_then(|skills| skills.get(row)).map_or("", |(name, _)| *name)
}
