//! A directory of skills becomes who answers for each of them: asked once, when they are read (SPEC 14.9).

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::book::{Book, Entry, Standing};
use super::{Place, Trust};

/// Tells whether the skills of a workspace may do anything.
pub(crate) type Predicate = Arc<dyn Fn(&Place<'_>) -> bool + Send + Sync>;

/// Who answers for a skill, and on what.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    pub(crate) trust: Trust,
    /// What was trusted, for one that was.
    pub(crate) entry: Option<Arc<Entry>>,
    /// In what it differs from what was trusted once.
    pub(crate) changed: Option<String>,
}

impl Word {
    pub(crate) fn of(trust: Trust) -> Self {
        Self { trust, entry: None, changed: None }
    }
}

/// Answers for the skills of one reading; each trusted directory is looked at once.
pub(crate) struct Judge<'p> {
    predicate: Option<&'p Predicate>,
    book: Book,
    /// The real paths of directories that are the user's own, or were named.
    own: Vec<(PathBuf, Trust)>,
    seen: HashMap<PathBuf, Option<String>>,
}

impl<'p> Judge<'p> {
    pub(crate) fn new(predicate: Option<&'p Predicate>, book: Book, own: Vec<(PathBuf, Trust)>) -> Self {
        Self { predicate, book, own, seen: HashMap::new() }
    }

    /// Answers for a skill of a workspace, by the root it was found below and its directory there.
    pub(crate) fn word(&mut self, root: &Path, name: &str, below: &str) -> Word {
        let real = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        if let Some((_, trust)) = self.own.iter().find(|(own, _)| real.starts_with(own)) {
            return Word::of(*trust);
        }
        let directory = if below.is_empty() { real.clone() } else { real.join(below) };
        if let Some(predicate) = self.predicate {
            let is_trusted = predicate(&Place { name, root: &real, directory: &directory });
            return Word::of(if is_trusted { Trust::Said } else { Trust::Nobody });
        }
        let mut changed = None;
        for entry in self.book.around(&directory) {
            let standing =
                self.seen.entry(entry.path().to_owned()).or_insert_with(|| match entry.standing() {
                    Standing::Same => None,
                    other => Some(other.to_string()),
                });
            match standing {
                None => return Word { trust: Trust::Said, entry: Some(Arc::clone(entry)), changed: None },
                Some(difference) => changed = Some(difference.clone()),
            }
        }
        Word { changed, ..Word::of(Trust::Nobody) }
    }
}
