//! Converts the lines of a `.skillignore` to a lookup table, so that the cost per path does not depend on
//! their number.

use std::cell::Cell;
use std::collections::HashMap;

use super::pattern::{self, Pattern, PatternShape};

/// The maximum number of lines with wildcards in a file, because each is compared with every path.
const MAX_WILDCARDS: usize = 1_000;

/// The maximum number of characters and wildcards in these lines together.
const LONGEST: usize = 50_000;

/// The patterns of one file; the last matching line decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct IgnoreLines {
    /// The number of lines.
    count: usize,
    /// Whether a line begins with `!`.
    pub(super) has_negated: bool,
    /// The last line of each plain pattern, by its key.
    plain: HashMap<Vec<u8>, Pair>,
    /// The lengths of the suffixes in patterns such as `*.log`, without duplicates.
    ends: Vec<usize>,
    others: Vec<(usize, Pattern)>,
    /// The total number of characters and wildcards in the other patterns.
    length: usize,
}

/// The last line that matches any entry with a name, and the last line that matches only directories with
/// that name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pair {
    any: Option<Verdict>,
    directory: Option<Verdict>,
}

/// The number of a line, and whether it is negated.
type Verdict = (usize, bool);

impl IgnoreLines {
    /// Reads patterns like git and cargo: invalid ones, and those beyond the limit, are ignored.
    pub(super) fn of_valid<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Self {
        let mut lines = Self::default();
        for pattern in patterns {
            if let Ok(Some(pattern)) = pattern::parse(pattern.as_bytes())
                && !lines.add(pattern)
            {
                break;
            }
        }
        lines
    }

    /// Adds the next line; returns `false` if there are too many.
    pub(super) fn add(&mut self, pattern: Pattern) -> bool {
        self.count += 1;
        self.has_negated |= pattern.negated;
        let (line, verdict) = (self.count, (self.count, pattern.negated));
        let Some(key) = key(&pattern.shape()) else {
            self.length += pattern.len();
            self.others.push((line, pattern));
            return self.others.len() <= MAX_WILDCARDS && self.length <= LONGEST;
        };
        if let PatternShape::End(end) = pattern.shape()
            && !self.ends.contains(&end.len())
        {
            self.ends.push(end.len());
        }
        let pair = self.plain.entry(key).or_default();
        let place = if pattern.directory_only { &mut pair.directory } else { &mut pair.any };
        *place = Some(verdict);
        true
    }

    /// Returns whether the last line that matches a path is negated; `None` if no line matches. Takes the steps from
    /// `left`.
    pub(super) fn decide(&self, path: &str, directory: bool, left: &Cell<u64>) -> Option<bool> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let mut last = self.find(&PatternShape::Path(path.as_bytes().to_vec()), directory);
        last = last.max(self.find(&PatternShape::Name(name.as_bytes().to_vec()), directory));
        for end in &self.ends {
            let end = name.len().checked_sub(*end).and_then(|start| name.as_bytes().get(start..));
            let found = end.and_then(|end| self.find(&PatternShape::End(end.to_vec()), directory));
            last = last.max(found);
        }
        for (line, pattern) in self.others.iter().rev() {
            if last.is_some_and(|(last, _)| last > *line) {
                break;
            }
            if pattern.matches(path, directory, left) {
                last = Some((*line, pattern.negated));
                break;
            }
        }
        last.map(|(_, negated)| negated)
    }

    fn find(&self, shape: &PatternShape, directory: bool) -> Option<Verdict> {
        let pair = self.plain.get(&key(shape)?)?;
        pair.any.max(pair.directory.filter(|_| directory))
    }
}

/// Returns the key of a plain pattern in the table.
fn key(shape: &PatternShape) -> Option<Vec<u8>> {
    let (mark, bytes) = match shape {
        PatternShape::Path(bytes) => (b'/', bytes),
        PatternShape::Name(bytes) => (b'n', bytes),
        PatternShape::End(bytes) => (b'*', bytes),
        PatternShape::Other => return None,
    };
    Some([&[mark], bytes.as_slice()].concat())
}
