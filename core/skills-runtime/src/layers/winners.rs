//! Merges layers by name: for each name, and for names that differ in `-` and `_`, the highest layer wins. Used
//! for layers at run time, and by the command for the directories that it installs from.

use std::collections::HashMap;

use skills_registry::ident_key;

/// The position of a skill: its layer, and its row there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The layer, from the lowest.
    pub layer: usize,
    /// The row in the layer.
    pub row: u32,
}

/// The skills that win their names, and the skills that these hide.
#[derive(Debug, Default)]
pub struct Winners {
    /// The winning skills, sorted by name.
    pub winners: Vec<Position>,
    /// The hidden skills, each with the skill that finally won; by layer, then by name.
    pub shadowed: Vec<(Position, Position)>,
    /// The winner of each name; names that differ in `-` and `_` have the same key.
    by_name: HashMap<String, Position>,
}

impl Winners {
    /// Merges layers, the lowest first. Each layer lists the names of its skills, and whether each may run.
    pub fn new(layers: &[Vec<(&str, bool)>]) -> Self {
        let mut by_name = HashMap::new();
        let mut lost = Vec::new();
        // An untrusted skill hides nothing (SPEC 14.13), so untrusted skills are added first.
        for may_run in [false, true] {
            for (layer, skills) in layers.iter().enumerate() {
                for ((name, own), row) in skills.iter().zip(0..) {
                    if *own == may_run {
                        lost.extend(by_name.insert(ident_key(name).into_owned(), Position { layer, row }));
                    }
                }
            }
        }
        let mut winners: Vec<Position> = by_name.values().copied().collect();
        winners.sort_unstable_by_key(|at| find_name(*at, layers));
        let mut shadowed: Vec<(Position, Position)> = lost
            .into_iter()
            .filter_map(|at| Some((at, *by_name.get(ident_key(find_name(at, layers)).as_ref())?)))
            .collect();
        shadowed.sort_unstable_by_key(|(lost, _)| (lost.layer, lost.row));
        Self { winners, shadowed, by_name }
    }

    /// Returns the skill with a name, or with a name that differs only in `-` and `_`.
    pub fn find(&self, name: &str) -> Option<Position> {
        self.by_name.get(ident_key(name).as_ref()).copied()
    }
}

fn find_name<'n>(at: Position, layers: &[Vec<(&'n str, bool)>]) -> &'n str {
    let row = usize::try_from(at.row).unwrap_or(usize::MAX);
    layers.get(at.layer).and_then(|skills| skills.get(row)).map_or("", |(name, _)| *name)
}
