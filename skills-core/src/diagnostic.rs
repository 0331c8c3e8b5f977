//! What is wrong, where, and what to type: every stage adds to one [`Report`], only printers read it.

use skills_registry::sort;

use crate::edit::{Change, Fix};
pub use crate::level::Level;
use crate::rule::{self, Rule};
use crate::span::{SourceMap, Span};

/// A second place that belongs to a problem.
#[derive(Clone, Debug)]
pub struct Related {
    /// The place.
    pub span: Span,
    /// What is there.
    pub label: String,
}

/// One problem.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule that was broken.
    pub rule: &'static Rule,
    /// How much it matters; decided by [`Report::settle`].
    pub level: Level,
    /// What is wrong.
    pub title: String,
    /// Where.
    pub span: Span,
    /// What is at that place.
    pub label: String,
    /// What to type; lines after the first continue it.
    pub help: String,
    /// Other places that belong to it.
    pub related: Vec<Related>,
    /// What mends it, where that is known.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// Says what is at the place itself.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Says what to type.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = help.into();
        self
    }

    /// Says what mends it.
    pub(crate) fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.fix = fix.into();
        self
    }

    /// Asks whether a word was meant, and carries the edit that types it in the place of this one.
    pub(crate) fn near(self, word: &str) -> Self {
        let change = Change::replace(self.span, word);
        self.help(format!("did you mean `{word}`?")).fix(change.looked_at())
    }

    /// Asks as [`near`](Self::near) does; the word is a key of JSON.
    pub(crate) fn near_key(self, word: &str) -> Self {
        let change = Change::string(self.span, word);
        self.help(format!("did you mean `{word}`?")).fix(change.looked_at())
    }

    /// Asks as [`near`](Self::near) does; the word is a string of JSON.
    pub(crate) fn near_string(self, word: &str) -> Self {
        let change = Change::string(self.span, word);
        self.help(format!("did you mean \"{word}\"?")).fix(change.looked_at())
    }

    /// Says what to type at the place, behind words that lead to it.
    pub(crate) fn write(self, lead: &str, text: &str) -> Self {
        let change = Change::replace(self.span, text);
        self.help(format!("{lead}{text}")).fix(change.looked_at())
    }

    /// Adds a second place.
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related.push(Related { span, label: label.into() });
        self
    }

    /// Adds it to a report.
    pub(crate) fn add_to(self, report: &mut Report) {
        report.push(self);
    }
}

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
        let whole: Vec<&str> =
            self.base.split('/').chain(path.split('/')).filter(|part| !part.is_empty()).collect();
        let pattern: Vec<&str> =
            self.pattern.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        is_below(&whole, &pattern)
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

    fn level(&self, rule: &Rule, profile: Profile, path: &str) -> Level {
        let mut scopes = self.scopes.iter().rev().filter(|scope| scope.holds(path));
        let scoped = scopes.find_map(|scope| {
            let at = scope.levels.place(rule.code).ok()?;
            Some(scope.levels.rules[at].1)
        });
        if let Some(level) = scoped {
            return level;
        }
        let native = match profile {
            Profile::Bundle => rule.bundle,
            Profile::Disk => rule.disk,
            Profile::Standard => rule.standard,
        };
        self.place(rule.code).map_or(native, |at| self.rules[at].1)
    }
}

/// The most problems of one file that are told.
const MOST: usize = 100;

/// All problems found so far.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The problems; in the order of their places once settled.
    pub diagnostics: Vec<Diagnostic>,
    /// How many errors, and problems of any level, were left out of files with too many (SPEC 12.10).
    pub left_out: (usize, usize),
}

impl Report {
    /// Adds a problem.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Gives every problem its level, drops what is allowed, and sorts by path and place.
    pub fn settle(&mut self, levels: &Levels, profile: Profile, sources: &SourceMap) {
        self.diagnostics.retain_mut(|diagnostic| {
            let path = &sources.file_of(diagnostic.span).path;
            diagnostic.level = levels.level(diagnostic.rule, profile, path);
            diagnostic.level > Level::Allow
        });
        let path = |diagnostic: &Diagnostic| &sources.file_of(diagnostic.span).path;
        sort(&mut self.diagnostics, &|a, b| {
            let place = path(a).cmp(path(b)).then_with(|| a.span.cmp(&b.span));
            place.then_with(|| a.rule.code.cmp(b.rule.code)).then_with(|| a.title.cmp(&b.title))
        });
        self.shorten(sources);
    }

    /// Keeps the first problems of each file, errors before warnings, and counts the others in one: whoever reads a report
    /// mends no more than these before the next (SPEC 12.10).
    fn shorten(&mut self, sources: &SourceMap) {
        let path = |diagnostic: &Diagnostic| sources.file_of(diagnostic.span).path.as_str();
        let mut all = std::mem::take(&mut self.diagnostics).into_iter().peekable();
        while let Some(first) = all.next() {
            let name = path(&first);
            let mut file = vec![first];
            while let Some(next) = all.next_if(|next| path(next) == name) {
                file.push(next);
            }
            let errors = file.iter().filter(|one| one.level == Level::Error).count();
            let mut room = (errors.min(MOST), MOST.saturating_sub(errors));
            let mut more: Option<Diagnostic> = None;
            let mut left_out = 0_usize;
            for diagnostic in file {
                let room = if diagnostic.level == Level::Error { &mut room.0 } else { &mut room.1 };
                if *room > 0 {
                    *room -= 1;
                    self.diagnostics.push(diagnostic);
                    continue;
                }
                left_out += 1;
                self.left_out.0 += usize::from(diagnostic.level == Level::Error);
                self.left_out.1 += 1;
                let more =
                    more.get_or_insert_with(|| rule::files::MORE_PROBLEMS.at(diagnostic.span.head(), ""));
                more.level = if left_out == 1 { diagnostic.level } else { more.level.max(diagnostic.level) };
            }
            if let Some(mut more) = more {
                let problems = if left_out == 1 { "problem" } else { "problems" };
                more.title = format!("{left_out} more {problems} in this file");
                self.diagnostics.push(
                    more.label("the first of them is here").help("mend those that are told, and check again"),
                );
            }
        }
    }

    /// Counts the errors.
    pub fn errors(&self) -> usize {
        self.count(Level::Error)
    }

    /// Counts the warnings.
    pub fn warnings(&self) -> usize {
        self.count(Level::Warning)
    }

    fn count(&self, level: Level) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.level == level).count()
    }
}
