//! How much a rule matters: by the profile of the run, or as the user set it, for all paths or for some.

use skills_registry::path_names;

use crate::level::Level;
use crate::rule::{self, Rule};

/// By what a directory is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// As a bundle is when it is compiled: what is wrong is an error.
    #[default]
    Bundle,
    /// As a program does at run time: what can be mended is a warning.
    Disk,
    /// By the open Agent Skills standard alone (SPEC 2.6).
    Standard,
}

/// Levels that the user set, sorted by rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    rules: Vec<(&'static str, Level)>,
    /// Those that hold for a part of the paths; the last one that sets a rule counts.
    scopes: Vec<Scope>,
}

/// Levels for a part of the paths (SPEC 17.7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    /// What stands before the paths of reports, so that they are those of the pattern.
    pub(crate) base: String,
    /// A path, and all below it; `*` stands for a part of a name, `**` for any directories.
    pub(crate) pattern: String,
    pub(crate) levels: Levels,
}

impl Scope {
    fn holds(&self, path: &str) -> bool {
        let path = format!("{}/{path}", self.base);
        is_below(&path_names(&path), &path_names(&self.pattern))
    }
}

/// Tells whether a path is what a pattern names, or lies below that.
fn is_below(path: &[&str], pattern: &[&str]) -> bool {
    match pattern.split_first() {
        None => true,
        Some((&"**", rest)) => (0..=path.len()).any(|skipped| is_below(&path[skipped..], rest)),
        Some((first, rest)) => {
            path.split_first().is_some_and(|(name, path)| is_like(name, first) && is_below(path, rest))
        }
    }
}

/// Compares a name with one in which `*` stands for anything.
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
    /// The name is no rule's, or the rule is no lint and so cannot be lowered. The text says which, and the nearest name.
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

    /// Sets the level of a rule, unless the user did.
    pub(crate) fn put(&mut self, rule: &'static Rule, level: Level) {
        if let Err(at) = self.place(rule.code) {
            self.rules.insert(at, (rule.code, level));
        }
    }

    /// Where a rule stands, or belongs.
    fn place(&self, code: &str) -> Result<usize, usize> {
        self.rules.binary_search_by(|(known, _)| (*known).cmp(code))
    }

    /// Tells whether nothing was set.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.scopes.is_empty()
    }

    /// Adds levels for a part of the paths.
    pub(crate) fn scope(&mut self, scope: Scope) {
        self.scopes.push(scope);
    }

    /// The level of a rule at a path.
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
