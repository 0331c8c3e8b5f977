//! The levels of rules: the levels of a profile, and the levels that the user sets for all paths or for some
//! of them.

use std::collections::HashMap;

use skills_text::path_names;

use crate::level::Level;
use crate::patterns::Patterns;
use crate::rule::{self, Rule, RuleError};

/// The rules that apply to a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// For a bundle at compile time: problems are errors.
    #[default]
    Bundle,
    /// For a program at run time: problems that have a workaround are warnings.
    Disk,
    /// Only the open Agent Skills standard.
    Standard,
}

/// Levels that the user set, sorted by rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    rules: Vec<(&'static str, Level)>,
    /// Levels for some of the paths, from each file of settings.
    scopes: Vec<Scopes>,
}

/// Levels for some of the paths, from one file of settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scopes {
    /// The path from the directory of the file to the root. The paths in reports are relative to the root.
    base: String,
    /// The levels of each pattern. The last one that sets a rule counts.
    levels: Vec<Levels>,
    /// The patterns without wildcards, with the positions of their levels, so that the time for a path does not
    /// depend on their number.
    plain: HashMap<String, Vec<usize>>,
    wildcards: Vec<(usize, String, Patterns)>,
    /// The length of all patterns with wildcards together.
    length: usize,
}

impl Scopes {
    /// The maximum length of all patterns with wildcards together, because each is compared with every path.
    pub(crate) const MAX_LENGTH: usize = 4_000;

    pub(crate) fn new(base: String) -> Self {
        Self { base, ..Self::default() }
    }

    /// Adds levels for a path, which includes everything below it; `*` matches part of a name, `**` any directories.
    /// Returns `false` if there are too many wildcards.
    pub(crate) fn add(&mut self, pattern: &str, levels: Levels) -> bool {
        let mut names = path_names(pattern);
        // A pattern includes everything below what it matches.
        while names.last() == Some(&"**") {
            names.pop();
        }
        let (place, pattern) = (self.levels.len(), names.join("/"));
        if pattern.contains('*') {
            self.length += pattern.len();
            if self.length > Self::MAX_LENGTH {
                return false;
            }
            let list = Patterns::new([escape(&pattern).as_str()]);
            self.wildcards.push((place, pattern, list));
        } else {
            self.plain.entry(pattern).or_default().push(place);
        }
        self.levels.push(levels);
        true
    }

    /// Returns the level of a rule for a path, if a pattern sets it.
    fn level(&self, code: &str, path: &str) -> Option<Level> {
        let path = path_names(&format!("{}/{path}", self.base)).join("/");
        let above = path.match_indices('/').map(|(at, _)| path.get(..at).unwrap_or_default());
        let plain = std::iter::once("").chain(above).chain([path.as_str()]);
        let plain = plain.filter_map(|path| self.plain.get(path)).flatten().copied();
        let wildcards = self.wildcards.iter().filter(|(.., pattern)| pattern.holds(&path));
        let mut places: Vec<usize> = plain.chain(wildcards.map(|(place, ..)| *place)).collect();
        places.sort_unstable();
        places.into_iter().rev().find_map(|place| self.levels.get(place)?.own(code))
    }
}

/// Converts a path with `*` and `**` to a line in the syntax of `.gitignore`, in which more characters have a meaning.
fn escape(pattern: &str) -> String {
    let mut line = String::from("/");
    for letter in pattern.chars() {
        if matches!(letter, '?' | '[' | '\\' | ' ') {
            line.push('\\');
        }
        line.push(letter);
    }
    line
}

impl Levels {
    /// Sets the level of a rule, named as in reports or as an identifier (`skills::long-body`, `long-body`, `long_body`).
    ///
    /// # Errors
    /// Fails if no rule has the name, or if the rule is not a lint and so cannot be lowered.
    pub fn set(&mut self, name: &str, level: Level) -> Result<(), RuleError> {
        let rule = rule::named(name)?;
        if !rule.lint && level < Level::Error {
            return Err(RuleError::NotLint { code: rule.code, level });
        }
        match self.place(rule.code) {
            Ok(at) => self.rules[at].1 = level,
            Err(at) => self.rules.insert(at, (rule.code, level)),
        }
        Ok(())
    }

    /// Sets the level of a rule, unless the user has set it.
    pub fn set_default(&mut self, rule: &'static Rule, level: Level) {
        if let Err(at) = self.place(rule.code) {
            self.rules.insert(at, (rule.code, level));
        }
    }

    /// Adds the levels of `other` for the rules that the user has not set.
    pub fn put_all(&mut self, other: &Self) {
        for (code, level) in &other.rules {
            if let Err(at) = self.place(code) {
                self.rules.insert(at, (*code, *level));
            }
        }
    }

    /// Returns the position of a rule, or the position at which to insert it.
    fn place(&self, code: &str) -> Result<usize, usize> {
        self.rules.binary_search_by(|(known, _)| (*known).cmp(code))
    }

    /// Returns `true` if no level was set.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.scopes.is_empty()
    }

    /// Adds levels for some of the paths.
    pub(crate) fn scope(&mut self, scopes: Scopes) {
        self.scopes.push(scopes);
    }

    /// Returns the level of a rule for all paths, if it is set.
    fn own(&self, code: &str) -> Option<Level> {
        self.place(code).ok().map(|at| self.rules[at].1)
    }

    pub(crate) fn level(&self, rule: &Rule, profile: Profile, path: &str) -> Level {
        let scoped = self.scopes.iter().rev().find_map(|scopes| scopes.level(rule.code, path));
        scoped.or_else(|| self.own(rule.code)).unwrap_or(match profile {
            Profile::Bundle => rule.bundle,
            Profile::Disk => rule.disk,
            Profile::Standard => rule.standard,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allow() -> Levels {
        let mut levels = Levels::default();
        levels.set("long-body", Level::Allow).expect("a lint");
        levels
    }

    // SPEC 17.7
    #[test]
    fn a_pattern_holds_for_everything_below_it() {
        for (pattern, path, holds) in [
            ("drafts", "drafts/a/SKILL.md", true),
            ("./drafts/", "drafts", true),
            ("drafts", "my/drafts/a", false),
            ("drafts/**", "drafts", true),
            ("**", "a", true),
            ("**/old", "a/b/old/SKILL.md", true),
            ("a/**/b", "a/b/c", true),
            ("a/*/c", "a/b/c/d", true),
            ("a/*/c", "a/b/d/c", false),
            ("a*", "abc/SKILL.md", true),
            ("*a", "abc/SKILL.md", false),
            ("a[b]?", "a[b]?/c", true),
            ("*[b]?", "a[b]?/c", true),
            ("*[b]", "ab", false),
        ] {
            let mut scopes = Scopes::new(String::new());
            assert!(scopes.add(pattern, allow()));
            assert_eq!(scopes.level("long-body", path), holds.then_some(Level::Allow), "{pattern} {path}");
        }
        let mut scopes = Scopes::new("skills".to_owned());
        let mut deny = Levels::default();
        deny.set("long-body", Level::Error).expect("a lint");
        assert!(
            scopes.add("skills/a", allow())
                && scopes.add("skills/*", deny)
                && scopes.add("skills/b", allow())
        );
        let levels = ["a", "b", "c"].map(|path| scopes.level("long-body", path));
        assert_eq!(levels, [Some(Level::Error), Some(Level::Allow), Some(Level::Error)]);
    }

    // SPEC 12.10, 17.7: no pattern takes longer than its length times the length of the path
    #[cfg(debug_assertions)]
    #[test]
    fn patterns_with_many_stars_take_few_steps() {
        let mut scopes = Scopes::new(String::new());
        assert!(scopes.add(&format!("skills/{}b", "*a".repeat(1_000)), allow()));
        assert!(scopes.add(&format!("{}b", "**/a/".repeat(200)), allow()));
        let mut levels = Levels::default();
        levels.scope(scopes);
        let before = skills_text::work::done();
        let path = format!("skills/{}", "a/".repeat(100) + &"a".repeat(200));
        levels.level(rule::find("long-body").expect("a rule"), Profile::Bundle, &path);
        let steps = skills_text::work::done() - before;
        assert!(steps < 50_000_000, "{steps}");
        let mut scopes = Scopes::new(String::new());
        assert!(!scopes.add(&"a*".repeat(Scopes::MAX_LENGTH), allow()));
    }
}
