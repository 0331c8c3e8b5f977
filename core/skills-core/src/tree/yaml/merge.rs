//! Merges the entries of `<<` keys into their map. Used by `build`.

use skills_text::Places;

use crate::tree::{MapEntry, Node, Value};

/// Returns `true` if a plain key `<<` with this value merges; otherwise it is an ordinary key.
pub(super) fn is_mergeable(value: &Node) -> bool {
    match &value.value {
        Value::Map(_) => true,
        Value::List(items) => !items.is_empty() && items.iter().all(|item| item.as_map().is_some()),
        Value::Scalar(_) => false,
    }
}

/// Inserts the entries of merged maps at the positions of their `<<`. Keys of the map itself have precedence, then
/// earlier merges. `places` has the position of each key in the entries.
pub(super) fn merge(entries: Vec<MapEntry>, merges: Vec<(usize, Node)>, mut places: Places) -> Vec<MapEntry> {
    if merges.is_empty() {
        return entries;
    }
    let mut merged = Vec::with_capacity(entries.len());
    let mut merges = merges.into_iter().peekable();
    let mut place = |at: usize, merged: &mut Vec<MapEntry>| {
        while let Some((_, node)) = merges.next_if(|(position, _)| *position <= at) {
            let maps = match node.value {
                Value::List(items) => items,
                _ => vec![node],
            };
            for map in maps {
                let Value::Map(entries) = map.value else { continue };
                for entry in entries {
                    if places.insert(entry.key.clone(), at).is_none() {
                        merged.push(entry);
                    }
                }
            }
        }
    };
    for (at, entry) in entries.into_iter().enumerate() {
        place(at, &mut merged);
        merged.push(entry);
    }
    place(usize::MAX, &mut merged);
    merged
}
