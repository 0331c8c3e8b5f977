//! Layers become winners by name: the highest layer that has a name, or a twin of it, wins (SPEC 1.5, 1.6,
//! 14.13).

use std::collections::HashMap;

use skills_registry::twin;

use super::layer::Layer;

/// Where a skill is: its layer, and its row there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub(super) layer: usize,
    pub(super) row: u32,
}

/// What became of the skills of all layers.
#[derive(Debug, Default)]
pub(super) struct Merged {
    /// Those that won, sorted by name (SPEC 1.8).
    pub(super) winners: Vec<At>,
    /// Those that lost, each with the one that won in the end; by layer, then by name.
    pub(super) shadowed: Vec<(At, At)>,
    /// The winner of each name, folded so that twins are one.
    by_name: HashMap<String, At>,
}

impl Merged {
    /// Decides between layers, given lowest first.
    pub(super) fn of(layers: &[Layer]) -> Self {
        let mut by_name = HashMap::new();
        let mut lost = Vec::new();
        // One that nobody answers for hides nothing (SPEC 14.13), so those go first.
        for may_run in [false, true] {
            for (layer, at) in layers.iter().enumerate() {
                let rows = at.registry().iter().zip(0..);
                for (skill, row) in rows.filter(|(_, row)| at.word(*row).trust.may_run() == may_run) {
                    lost.extend(by_name.insert(twin(skill.name()).into_owned(), At { layer, row }));
                }
            }
        }
        let name = |at: At| layers[at.layer].registry().row(at.row).name();
        let mut winners: Vec<At> = by_name.values().copied().collect();
        winners.sort_unstable_by_key(|at| name(*at));
        let mut shadowed: Vec<(At, At)> =
            lost.into_iter().filter_map(|at| Some((at, *by_name.get(twin(name(at)).as_ref())?))).collect();
        shadowed.sort_unstable_by_key(|(lost, _)| (lost.layer, lost.row));
        Self { winners, shadowed, by_name }
    }

    /// Returns the skill that has a name, or is a twin of it.
    pub(super) fn winner(&self, name: &str) -> Option<At> {
        self.by_name.get(twin(name).as_ref()).copied()
    }
}
