//! The keys of a frontmatter and what each means: for editors (SPEC 2.5).

use crate::known::{self, Shape};

/// A key of a frontmatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The key, spelled with `-`.
    pub key: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// Whether the open Agent Skills standard has it.
    pub standard: bool,
    /// Whether its value is `true` or `false`.
    pub is_flag: bool,
}

/// Returns the keys that have a meaning in a frontmatter.
pub fn keys() -> impl Iterator<Item = Key> {
    known::KEYS.iter().map(|known| Key {
        key: known.key,
        meaning: known.meaning,
        standard: known.standard,
        is_flag: matches!(known.shape, Shape::Flag(_)),
    })
}

/// Finds a key, `-` and `_` being the same.
pub fn key(name: &str) -> Option<Key> {
    let known = known::find(name)?;
    keys().find(|key| key.key == known.key)
}
