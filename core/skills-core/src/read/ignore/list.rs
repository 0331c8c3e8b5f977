//! Lists of patterns in files other than a `.gitignore`, such as `include` in a `Cargo.toml`.

use std::cell::Cell;

use super::STEPS;
use super::lines::IgnoreLines;

/// A list of patterns in the syntax of `.gitignore`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patterns(IgnoreLines);

impl Patterns {
    /// Reads the patterns; invalid ones are ignored, as in cargo.
    pub(crate) fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Self {
        Self(IgnoreLines::of_valid(patterns))
    }

    /// Returns `true` if the list matches a file. If no pattern matches the file itself, the nearest
    /// directory above it that a pattern matches decides.
    pub(crate) fn holds(&self, path: &str) -> bool {
        let above = path.match_indices('/').rev().filter_map(|(at, _)| path.get(..at));
        let left = Cell::new(STEPS);
        let found = self.0.decide(path, false, &left);
        let mut above = above.map(|directory| self.0.decide(directory, true, &left));
        found.or_else(|| above.find_map(|found| found)) == Some(false)
    }
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
