//! Evaluates `.skillignore` files for paths. Used by `walk` and `files`.
//!
//! The syntax is that of `.gitignore`. A file applies to its directory and everything below it. If several
//! files have a matching line, the deepest file decides. If several lines of this file match, the last one
//! decides.

pub(super) mod git;
mod index;

use std::cell::Cell;
use std::ops::Range;

use skills_text::path_below;

use self::index::Repository;
use super::problem::UnplacedProblem;
use crate::patterns::{Pattern, Patterns, STEPS, parse_pattern};
use crate::rule::files;

/// All `.skillignore` files that were read.
#[derive(Debug)]
pub(super) struct Ignores {
    layers: Vec<Layer>,
    /// The repositories of the root and of directories below it.
    repositories: Vec<Repository>,
    /// How many more steps may be spent on matching patterns against paths. There may be many patterns and
    /// many paths.
    left: Cell<u64>,
}

impl Default for Ignores {
    fn default() -> Self {
        Self { layers: Vec::new(), repositories: Vec::new(), left: Cell::new(STEPS) }
    }
}

/// The files that apply to a directory: the files in it and in the directories above it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IgnoreFiles {
    own: Option<usize>,
    /// The `.gitignore` files that apply.
    git: Option<usize>,
    /// The git repository that contains the directory.
    repository: Option<usize>,
    /// Whether git ignores the whole directory.
    is_ignored: bool,
}

impl IgnoreFiles {
    /// Returns `true` if the directory is in a git repository.
    pub(super) fn is_in_repository(self) -> bool {
        self.repository.is_some()
    }

    /// Returns the files that apply at the top of another repository.
    pub(super) fn in_other(self, other: Self) -> Self {
        Self { own: self.own, ..other }
    }
}

/// The result of the lines for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IgnoreVerdict {
    /// No line matches.
    Silent,
    /// It is left out.
    Out,
    /// A line with `!` includes it again.
    In,
}

#[derive(Debug)]
struct Layer {
    above: Option<usize>,
    /// The path from the directory of the file to the root, for a file above the root.
    prefix: String,
    /// The directory of the file below the root; empty for the root.
    base: String,
    lines: Patterns,
    /// Whether the lines come from `exclude`.
    is_config: bool,
}

impl Ignores {
    /// Adds the file of a directory; returns the files that apply there, and its invalid lines.
    pub(super) fn add(
        &mut self,
        above: IgnoreFiles,
        base: &str,
        text: &str,
    ) -> (IgnoreFiles, Vec<(Range<usize>, UnplacedProblem)>) {
        let mut lines = Patterns::default();
        let mut faults = Vec::new();
        let mut start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        for line in text[start..].split_inclusive('\n') {
            let bare = line.strip_suffix('\n').unwrap_or(line);
            let bare = bare.strip_suffix('\r').unwrap_or(bare);
            let range = start..start + bare.trim_end().len();
            match parse_pattern(bare.as_bytes()) {
                Err(fault) => {
                    let title = format!("`{}` cannot match any path", bare.trim_end());
                    let problem =
                        UnplacedProblem::new(&files::SKILLIGNORE_LINE, title, fault.help).label(fault.why);
                    faults.push((range, problem));
                }
                Ok(pattern) => {
                    if !pattern.is_none_or(|pattern| lines.add(pattern)) {
                        // Leave out everything: a later line that is not evaluated may have excluded a
                        // secret.
                        lines = Patterns::default();
                        lines.add(Pattern::everything());
                        let title = "more than 1000 lines with wildcards, or 50000 characters in them";
                        let help = "use names, paths and endings such as `*.log`, which have no limit";
                        let problem = UnplacedProblem::new(&files::SKILLIGNORE_LINE, title, help);
                        faults.push((range, problem.label("everything is excluded because of this line")));
                        break;
                    }
                }
            }
            start += line.len();
        }
        let (base, prefix) = (base.to_owned(), String::new());
        self.layers.push(Layer { above: above.own, base, prefix, lines, is_config: false });
        (IgnoreFiles { own: Some(self.layers.len() - 1), ..above }, faults)
    }

    /// Adds the patterns of `exclude`, which are not in a file of the skills.
    pub(super) fn exclude(&mut self, above: IgnoreFiles, patterns: &[String]) -> IgnoreFiles {
        let (ignore_files, _) = self.add(above, "", &patterns.join("\n"));
        if let Some(layer) = self.layers.last_mut() {
            layer.is_config = true;
        }
        ignore_files
    }

    /// Returns the reason why a path is left out.
    pub(super) fn reason(&self, ignore_files: IgnoreFiles, path: &str, directory: bool) -> &'static str {
        match self.decide(ignore_files.own, path, directory) {
            Some((_, true)) => "left out by `exclude` in `skills.toml`",
            _ => "left out by `.skillignore`",
        }
    }

    /// Returns the result of the lines of ignore files for a path below the root. The caller must have checked the
    /// directories above it, because nothing below an excluded directory can be included again.
    ///
    /// If all steps are used up, the path is left out, since a line may have excluded a secret.
    pub(super) fn verdict(&self, ignore_files: IgnoreFiles, path: &str, directory: bool) -> IgnoreVerdict {
        let decided = self.decide(ignore_files.own, path, directory);
        if self.is_exhausted() && ignore_files.own.is_some() {
            return IgnoreVerdict::Out;
        }
        match decided {
            Some((true, _)) => IgnoreVerdict::In,
            Some((false, _)) => IgnoreVerdict::Out,
            None => IgnoreVerdict::Silent,
        }
    }

    /// Returns `true` if a line with `!` may include a path that would be left out otherwise.
    pub(super) fn may_include(&self, ignore_files: IgnoreFiles) -> bool {
        let mut layer = ignore_files.own;
        while let Some(found) = layer.and_then(|at| self.layers.get(at)) {
            if found.lines.has_negated {
                return true;
            }
            layer = found.above;
        }
        false
    }

    /// Returns `true` if all steps are used up.
    pub(super) fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// Returns whether the last matching line is negated, and whether it is from `exclude`; the deepest file
    /// has precedence.
    fn decide(&self, mut layer: Option<usize>, path: &str, directory: bool) -> Option<(bool, bool)> {
        while !self.is_exhausted()
            && let Some(Layer { above, prefix, base, lines, is_config }) =
                layer.and_then(|at| self.layers.get(at))
        {
            let found = match (prefix.as_str(), base.as_str()) {
                ("", "") => lines.decide(path, directory, &self.left),
                ("", base) => {
                    let below = path_below(path, base).filter(|below| !below.is_empty());
                    below.and_then(|below| lines.decide(below, directory, &self.left))
                }
                (prefix, _) => lines.decide(&format!("{prefix}/{path}"), directory, &self.left),
            };
            if let Some(found) = found {
                return Some((found, *is_config));
            }
            layer = *above;
        }
        None
    }

    /// Returns `true` if a path is left out.
    pub(super) fn is_out(&self, ignore_files: IgnoreFiles, path: &str, directory: bool) -> bool {
        self.verdict(ignore_files, path, directory) == IgnoreVerdict::Out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 1.3
    #[test]
    fn the_deepest_file_and_its_last_line_decide() {
        let mut ignores = Ignores::default();
        let (root, faults) = ignores.add(IgnoreFiles::default(), "", "\u{feff}*.txt\r\n!keep.txt\r\n/b/x\n");
        assert!(faults.is_empty());
        let (below, _) = ignores.add(root, "b", "!a.txt\n/only\n");
        assert_eq!(ignores.verdict(root, "b/a.txt", false), IgnoreVerdict::Out);
        assert_eq!(ignores.verdict(below, "b/a.txt", false), IgnoreVerdict::In);
        assert_eq!(ignores.verdict(below, "b/c.txt", false), IgnoreVerdict::Out);
        assert_eq!(ignores.verdict(below, "b/keep.txt", false), IgnoreVerdict::In);
        assert_eq!(ignores.verdict(below, "b/x", true), IgnoreVerdict::Out);
        assert_eq!(ignores.verdict(below, "b/only", false), IgnoreVerdict::Out);
        assert_eq!(ignores.verdict(below, "b/c/only", false), IgnoreVerdict::Silent);
        assert_eq!(ignores.verdict(IgnoreFiles::default(), "a.txt", false), IgnoreVerdict::Silent);
    }

    // SPEC 12.10: the lookup of names, paths and endings gives the same results as matching them one by one
    #[test]
    fn many_lines_cost_no_more_than_few() {
        let mut text: String = (0..50_000).map(|at| format!("*.x{at}\n/a/{at}\nn{at}\nd{at}/\n")).collect();
        text.push_str("!n7\n/a/*\n!/a/8\n");
        let mut ignores = Ignores::default();
        let (ignore_files, faults) = ignores.add(IgnoreFiles::default(), "", &text);
        assert!(faults.is_empty());
        for at in 0..3_000 {
            assert_eq!(ignores.verdict(ignore_files, &format!("b/c.x{at}"), false), IgnoreVerdict::Out);
            assert_eq!(ignores.verdict(ignore_files, &format!("b/d{at}"), false), IgnoreVerdict::Silent);
            assert_eq!(ignores.verdict(ignore_files, &format!("b/d{at}"), true), IgnoreVerdict::Out);
            assert_eq!(ignores.verdict(ignore_files, &format!("b/keep{at}"), false), IgnoreVerdict::Silent);
        }
        // Each of the 12,000 comparisons takes steps only for the one line with a wildcard.
        assert!(STEPS - ignores.left.get() < 12_000 * 10, "{}", STEPS - ignores.left.get());
        assert_eq!(ignores.verdict(ignore_files, "b/n7", false), IgnoreVerdict::In);
        assert_eq!(ignores.verdict(ignore_files, "b/n8", false), IgnoreVerdict::Out);
        assert_eq!(ignores.verdict(ignore_files, "a/x", false), IgnoreVerdict::Out);
        assert_eq!(ignores.verdict(ignore_files, "a/8", false), IgnoreVerdict::In);
        let many = "a?b\n".repeat(1_001) + "!c\n";
        let (ignore_files, faults) = ignores.add(IgnoreFiles::default(), "", &many);
        assert_eq!(faults.len(), 1);
        assert_eq!(
            ignores.verdict(ignore_files, "c", false),
            IgnoreVerdict::Out,
            "a line that was not evaluated may have excluded a secret"
        );
    }

    // SPEC 12.10: comparing many wildcards with many paths is limited; beyond the limit nothing is bundled.
    #[test]
    fn the_comparisons_of_all_lines_have_a_limit() {
        let mut ignores = Ignores { left: Cell::new(100_000), ..Ignores::default() };
        let lines: String = (0..100).map(|at| format!("*a{at}*b*c*\n")).collect();
        let (own, faults) = ignores.add(IgnoreFiles::default(), "", &lines);
        assert!(faults.is_empty());
        let git = ignores.enter(std::path::Path::new("no/such"));
        let git = ignores.add_git(git, "", "", &lines);
        assert_eq!(ignores.verdict(own, "one", false), IgnoreVerdict::Silent);
        let name = "a".repeat(200);
        while !ignores.is_exhausted() {
            assert!(!ignores.is_ignored(git, &name, false));
        }
        assert_eq!(ignores.verdict(own, "one", false), IgnoreVerdict::Out);
        assert_eq!(ignores.verdict(IgnoreFiles::default(), "one", false), IgnoreVerdict::Silent);
        assert!(!ignores.is_ignored(git, "one", false));
        let long = "[ab]?c*".repeat(500) + "\n";
        let (_, faults) = Ignores::default().add(IgnoreFiles::default(), "", &long.repeat(100));
        assert_eq!(faults.len(), 1, "the memory of one file is bounded, too");
    }

    // SPEC 1.3
    #[test]
    fn a_faulty_line_is_reported_at_its_place() {
        let text = "# notes\r\ngood\r\n[bad  \r\n";
        let (_, faults) = Ignores::default().add(IgnoreFiles::default(), "", text);
        let places: Vec<_> = faults.iter().map(|(range, _)| &text[range.clone()]).collect();
        assert_eq!(places, ["[bad"]);
    }
}
