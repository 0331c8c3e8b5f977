//! The levels of rules: the levels of a profile, and the levels that the user sets for all paths or for some
//! of them.

use skills_text::path_names;

use crate::level::Level;
use crate::rule::{self, Rule};

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
    /// Levels for some of the paths; the last one that sets a rule counts.
    scopes: Vec<Scope>,
}

/// Levels for some of the paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The prefix to remove from the paths in reports, so that they are relative to the same directory as the
    /// pattern.
    pub(crate) base: String,
    /// A path, which includes everything below it; `*` matches part of a name, `**` any directories.
    pub(crate) pattern: String,
    pub(crate) levels: Levels,
}

impl Scope {
    fn holds(&self, path: &str) -> bool {
        let path = format!("{}/{path}", self.base);
        is_below(&path_names(&path), &path_names(&self.pattern))
    }
}

/// Returns `true` if a path matches a pattern, or is below a path that does.
fn is_below(path: &[&str], pattern: &[&str]) -> bool {
    match pattern.split_first() {
        None => true,
        Some((&"**", rest)) => (0..=path.len()).any(|skipped| is_below(&path[skipped..], rest)),
        Some((first, rest)) => {
            path.split_first().is_some_and(|(name, path)| is_like(name, first) && is_below(path, rest))
        }
    }
}

/// Compares a name with a pattern in which `*` matches any characters.
fn is_like(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => name == pattern,
        Some((head, tail)) => name.strip_prefix(head).is_some_and(|rest| {
            rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| is_like(&rest[at..], tail))
        }),
    }
}

impl Levels {
    /// Sets the level of a rule, named as in reports or as an identifier (`skills::long-body`, `long-body`, `long_body`).
    ///
    /// # Errors
    /// Fails if no rule has the name, or if the rule is not a lint and so cannot be lowered. The message
    /// names the rule and the most similar rule.
    pub fn set(&mut self, name: &str, level: Level) -> Result<(), String> {
        let rule = rule::named(name)?;
        if !rule.lint && level < Level::Error {
            return Err(format!(
                "`{}` is an error, not a lint: it cannot be set to `{}`",
                rule.code,
                level.as_str()
            ));
        }
        match self.place(rule.code) {
            Ok(at) => self.rules[at].1 = level,
            Err(at) => self.rules.insert(at, (rule.code, level)),
        }
        Ok(())
    }

    /// Sets the level of a rule, unless the user has set it.
    pub fn put(&mut self, rule: &'static Rule, level: Level) {
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
    pub(crate) fn scope(&mut self, scope: Scope) {
        self.scopes.push(scope);
    }

    pub(crate) fn level(&self, rule: &Rule, profile: Profile, path: &str) -> Level {
        let mut scopes = self.scopes.iter().rev().filter(|scope| scope.holds(path));
        let scoped = scopes.find_map(|scope| {
            let at = scope.levels.place(rule.code).ok()?;
            Some(scope.levels.rules[at].1)
        });
        let own = || self.place(rule.code).ok().map(|at| self.rules[at].1);
        scoped.or_else(own).unwrap_or(match profile {
            Profile::Bundle => rule.bundle,
            Profile::Disk => rule.disk,
            Profile::Standard => rule.standard,
        })
    }
}
