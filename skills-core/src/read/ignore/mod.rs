//! `.skillignore` files become verdicts on paths; `walk` and `files` ask for them (SPEC 1.3).
//!
//! The syntax is that of `.gitignore`. A file holds for its directory and all below it; the deepest file with a
//! line that matches decides, and in it the last such line.

mod pattern;

use std::ops::Range;

use self::pattern::Pattern;
use super::problem::Problem;
use crate::rule::files;

/// The name of the file.
pub(super) const NAME: &str = ".skillignore";

/// All `.skillignore` files that were read.
#[derive(Debug, Default)]
pub(super) struct Ignores {
    layers: Vec<Layer>,
}

/// The files that hold in a directory: its own and those above.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scope(Option<usize>);

/// What the lines say of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// No line matches.
    Silent,
    /// It is left out.
    Out,
    /// A `!` line takes it back in.
    In,
}

#[derive(Debug)]
struct Layer {
    above: Scope,
    /// The directory of the file below the root; empty for the root.
    base: String,
    patterns: Vec<Pattern>,
}

impl Ignores {
    /// Adds the file of a directory; returns its scope and the faulty lines.
    pub(super) fn add(
        &mut self,
        above: Scope,
        base: &str,
        text: &str,
    ) -> (Scope, Vec<(Range<usize>, Problem)>) {
        let mut patterns = Vec::new();
        let mut faults = Vec::new();
        let mut start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        for line in text[start..].split_inclusive('\n') {
            let bare = line.strip_suffix('\n').unwrap_or(line);
            let bare = bare.strip_suffix('\r').unwrap_or(bare);
            match pattern::parse(bare.as_bytes()) {
                Ok(pattern) => patterns.extend(pattern),
                Err(fault) => {
                    let title = format!("`{}` matches no path", bare.trim_end());
                    let problem = Problem::new(&files::SKILLIGNORE_LINE, title, fault.help).label(fault.why);
                    faults.push((start..start + bare.trim_end().len(), problem));
                }
            }
            start += line.len();
        }
        self.layers.push(Layer { above, base: base.to_owned(), patterns });
        (Scope(Some(self.layers.len() - 1)), faults)
    }

    /// Says what the lines of a scope mean for a path below the root. A directory above it that is left out must
    /// have been seen to by the caller: nothing below that can come back.
    pub(super) fn verdict(&self, scope: Scope, path: &str, directory: bool) -> Verdict {
        let mut scope = scope;
        while let Some(layer) = scope.0.and_then(|at| self.layers.get(at)) {
            let below = match layer.base.as_str() {
                "" => Some(path),
                base => path.strip_prefix(base).and_then(|rest| rest.strip_prefix('/')),
            };
            let found = below.and_then(|below| {
                layer.patterns.iter().rev().find(|pattern| pattern.matches(below, directory))
            });
            match found {
                Some(pattern) if pattern.negated => return Verdict::In,
                Some(_) => return Verdict::Out,
                None => scope = layer.above,
            }
        }
        Verdict::Silent
    }

    /// Tells whether a path is left out.
    pub(super) fn is_out(&self, scope: Scope, path: &str, directory: bool) -> bool {
        self.verdict(scope, path, directory) == Verdict::Out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 1.3
    #[test]
    fn the_deepest_file_and_its_last_line_decide() {
        let mut ignores = Ignores::default();
        let (root, faults) = ignores.add(Scope::default(), "", "\u{feff}*.txt\r\n!keep.txt\r\n/b/x\n");
        assert!(faults.is_empty());
        let (below, _) = ignores.add(root, "b", "!a.txt\n/only\n");
        assert_eq!(ignores.verdict(root, "b/a.txt", false), Verdict::Out);
        assert_eq!(ignores.verdict(below, "b/a.txt", false), Verdict::In);
        assert_eq!(ignores.verdict(below, "b/c.txt", false), Verdict::Out);
        assert_eq!(ignores.verdict(below, "b/keep.txt", false), Verdict::In);
        assert_eq!(ignores.verdict(below, "b/x", true), Verdict::Out);
        assert_eq!(ignores.verdict(below, "b/only", false), Verdict::Out);
        assert_eq!(ignores.verdict(below, "b/c/only", false), Verdict::Silent);
        assert_eq!(ignores.verdict(Scope::default(), "a.txt", false), Verdict::Silent);
    }

    // SPEC 1.3
    #[test]
    fn a_faulty_line_is_shown_where_it_stands() {
        let text = "# notes\r\ngood\r\n[bad  \r\n";
        let (_, faults) = Ignores::default().add(Scope::default(), "", text);
        let places: Vec<_> = faults.iter().map(|(range, _)| &text[range.clone()]).collect();
        assert_eq!(places, ["[bad"]);
    }
}
