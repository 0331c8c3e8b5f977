//! Compares two contents of a directory: files added, removed, changed and renamed.

use std::collections::HashMap;
use std::fmt;

use crate::contents::{Contents, Digest};

/// The maximum number of files to name for each kind of change.
const NAMED: usize = 20;

/// The differences between the expected and the actual files. Its `Display` has a line for each, without a
/// final line feed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// Files that were not expected.
    pub added: Vec<String>,
    /// Files that are missing.
    pub removed: Vec<String>,
    /// Files with other contents.
    pub changed: Vec<String>,
    /// Renamed files: the expected name and the actual name.
    pub renamed: Vec<(String, String)>,
}

impl Difference {
    /// Compares the actual files with the expected ones.
    pub fn between(expected: &Contents, found: &Contents) -> Self {
        let missing = expected.files().filter(|(path, _)| found.get(path).is_none());
        let mut removed: HashMap<&Digest, Vec<&str>> = HashMap::new();
        missing.for_each(|(path, digest)| removed.entry(digest).or_default().push(path));
        let mut difference = Self::default();
        for (path, digest) in found.files() {
            match expected.get(path) {
                Some(signed) if signed == digest => {}
                Some(_) => difference.changed.push(path.to_owned()),
                None => match removed.get_mut(digest).and_then(Vec::pop) {
                    Some(from) => difference.renamed.push((from.to_owned(), path.to_owned())),
                    None => difference.added.push(path.to_owned()),
                },
            }
        }
        difference.removed = removed.into_values().flatten().map(str::to_owned).collect();
        difference.removed.sort();
        difference
    }

    /// Returns `true` if there are no differences.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let renamed: Vec<String> = self.renamed.iter().map(|(from, to)| format!("{from} -> {to}")).collect();
        let kinds = [
            ("changed", &self.changed),
            ("added", &self.added),
            ("removed", &self.removed),
            ("renamed", &renamed),
        ];
        let mut is_first = true;
        for (kind, paths) in kinds {
            let more = paths.len().saturating_sub(NAMED);
            let named = paths.iter().take(NAMED).map(|path| format!("{kind}: {path}"));
            let rest = (more > 0).then(|| format!("{kind}: {more} more"));
            for line in named.chain(rest) {
                f.write_str(if is_first { "" } else { "\n" })?;
                is_first = false;
                f.write_str(&line)?;
            }
        }
        Ok(())
    }
}
