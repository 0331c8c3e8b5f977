//! A map from names to positions for code that the macro compiles. With a standard map, each additional type
//! of key or value would add about a thousand statements to a debug build.

use std::collections::HashMap;

/// A map from names to positions in a list of the caller.
///
/// ```
/// let mut places = skills_text::Places::default();
/// assert_eq!(places.insert("a".to_owned(), 0), None);
/// assert_eq!(places.first("a".to_owned(), 1), 0);
/// assert_eq!(places.get("b"), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Places(HashMap<String, usize>);

impl Places {
    /// Returns the position of a name.
    pub fn get(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }

    /// Sets the position of a name. Returns its previous position.
    pub fn insert(&mut self, name: String, place: usize) -> Option<usize> {
        self.0.insert(name, place)
    }

    /// Sets the position of a name unless it has one. Returns its current position.
    pub fn first(&mut self, name: String, place: usize) -> usize {
        *self.0.entry(name).or_insert(place)
    }
}
