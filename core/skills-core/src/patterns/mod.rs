//! Lists of patterns for paths in the syntax of `.gitignore`: the lines of a `.skillignore`, `include` in a `Cargo.toml`, the
//! paths of a `skills.toml`.

mod pattern;

use std::cell::Cell;
use std::collections::HashMap;

use pattern::PatternShape;
pub(crate) use pattern::{Pattern, parse as parse_pattern};

/// The steps for all comparisons of patterns with paths: about a second.
pub(crate) const STEPS: u64 = 500_000_000;

/// The maximum number of lines with wildcards in a file, because each is compared with every path.
const MAX_WILDCARDS: usize = 1_000;

/// The maximum number of characters and wildcards in these lines together.
const LONGEST: usize = 50_000;

/// A list of patterns, indexed so that the cost per path does not depend on their number. The last matching line decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patterns {
    /// The number of lines.
    count: usize,
    /// Whether a line begins with `!`.
    pub(crate) has_negated: bool,
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

impl Patterns {
    /// Reads patterns like git and cargo: invalid ones, and those beyond the limit, are ignored.
    pub(crate) fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Self {
        let mut lines = Self::default();
        for pattern in patterns {
            if let Ok(Some(pattern)) = parse_pattern(pattern.as_bytes())
                && !lines.add(pattern)
            {
                break;
            }
        }
        lines
    }

    /// Adds the next line; returns `false` if there are too many.
    pub(crate) fn add(&mut self, pattern: Pattern) -> bool {
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
    pub(crate) fn decide(&self, path: &str, directory: bool, left: &Cell<u64>) -> Option<bool> {
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

    /// Returns `true` if the list matches a file. If no pattern matches the file itself, the nearest
    /// directory above it that a pattern matches decides.
    pub(crate) fn holds(&self, path: &str) -> bool {
        let above = path.match_indices('/').rev().filter_map(|(at, _)| path.get(..at));
        let left = Cell::new(STEPS);
        let found = self.decide(path, false, &left);
        let mut above = above.map(|directory| self.decide(directory, true, &left));
        found.or_else(|| above.find_map(|found| found)) == Some(false)
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

#[cfg(test)]
mod tests {
    use super::Patterns;

    // SPEC 12.10
    #[cfg(debug_assertions)]
    #[test]
    fn many_stars_take_few_steps() {
        let name = "a".repeat(200) + "b";
        let steps = |stars: usize| {
            let list = Patterns::new(["*a".repeat(stars).as_str(), &format!("/{}cb", "**/a".repeat(stars))]);
            let before = skills_text::work::done();
            assert!(!list.holds(&format!("{name}/{name}")));
            skills_text::work::done() - before
        };
        let (once, twice) = (steps(100), steps(200));
        assert!(once > 0 && twice <= once * 3, "{once} and {twice}");
    }

    // SPEC 18.14: decides as cargo does with the crate `ignore`
    #[test]
    fn a_list_contains_files_below_its_directories() {
        let list = Patterns::new(["/src", "*.md", "!/src/tests/", "docs/**/a"]);
        for path in ["src/lib.rs", "src/a/b.rs", "README.md", "x/y.md", "docs/a", "docs/b/c/a"] {
            assert!(list.holds(path), "{path}");
        }
        for path in ["src/tests/a.rs", "x/src/a.rs", "LICENSE", "docs/b"] {
            assert!(!list.holds(path), "{path}");
        }
    }
}
