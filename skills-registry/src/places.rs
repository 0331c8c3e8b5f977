//! Names, each with its place: the one map on the path of the macro, which would cost a debug build a thousand statements
//! for every other type of key or value.

use std::collections::HashMap;

/// Names that are found again by a look-up, each with a place in a list of the caller's.
///
/// ```
/// let mut places = skills_registry::Places::default();
/// assert_eq!(places.insert("a".to_owned(), 0), None);
/// assert_eq!(places.first("a".to_owned(), 1), 0);
/// assert_eq!(places.get("b"), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Places(HashMap<String, usize>);

impl Places {
    /// Returns the place of a name.
    pub fn get(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }

    /// Gives a name a place; returns the one it had.
    pub fn insert(&mut self, name: String, place: usize) -> Option<usize> {
        self.0.insert(name, place)
    }

    /// Gives a name a place unless it has one; returns the place it has then.
    pub fn first(&mut self, name: String, place: usize) -> usize {
        *self.0.entry(name).or_insert(place)
    }
}
