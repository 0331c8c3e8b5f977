//! All problems of a run. Every stage adds to one [`Report`], and only printers read it.

use skills_text::sort;

use crate::diagnostic::Diagnostic;
use crate::level::Level;
use crate::levels::{Levels, Profile};
use crate::rule;
use crate::span::SourceMap;

/// The maximum number of reported problems of one file.
const MAX_PROBLEMS: usize = 100;

/// The maximum number of characters of each text of a problem: a name from a file can be as long as the file.
const LONGEST: usize = 4_000;

/// All problems found so far.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The problems; sorted by place after [`settle`](Self::settle).
    pub diagnostics: Vec<Diagnostic>,
    /// The problems that were left out of files with too many, counted in one problem of each such file.
    pub left_out: Vec<Diagnostic>,
    /// The skills that a catalog leaves out because an earlier one has their name, in path order.
    pub repeated: Vec<Repeated>,
}

/// A skill that is left out because an earlier one has its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The name.
    pub name: String,
    /// Its path below the root.
    pub path: String,
    /// The path of the earlier skill.
    pub first: String,
}

impl Report {
    /// Adds a problem.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        skills_text::work::count(1);
        diagnostic.cut();
        self.diagnostics.push(diagnostic);
    }

    /// Returns `true` if a check of one skill may still make suggestions. A suggestion compares a name with all
    /// others, which is slow, and nobody reads so many problems of one file.
    pub(crate) fn has_room(&self) -> bool {
        self.diagnostics.len() < 2 * MAX_PROBLEMS
    }

    /// Sets the level of every problem, drops allowed problems, and sorts by path and place.
    pub fn settle(&mut self, levels: &Levels, profile: Profile, sources: &SourceMap) {
        self.diagnostics.retain_mut(|diagnostic| {
            diagnostic.cut();
            let path = &sources.file_of(diagnostic.span).path;
            diagnostic.level = levels.level(diagnostic.rule, profile, path);
            diagnostic.level > Level::Allow
        });
        sort(&mut self.diagnostics, &|a, b| {
            let paths = [a, b].map(|found| &sources.file_of(found.span).path);
            let place = paths[0].cmp(paths[1]).then_with(|| a.span.cmp(&b.span));
            place.then_with(|| a.rule.code.cmp(b.rule.code)).then_with(|| a.title.cmp(&b.title))
        });
        self.shorten(sources);
    }

    /// Adds problems that are found only after [`settle`](Self::settle).
    pub fn insert(&mut self, found: Vec<Diagnostic>, levels: &Levels, profile: Profile, sources: &SourceMap) {
        for mut diagnostic in found {
            let path = &sources.file_of(diagnostic.span).path;
            diagnostic.level = levels.level(diagnostic.rule, profile, path);
            let at = self.diagnostics.partition_point(|other| {
                let place = sources.file_of(other.span).path.cmp(path);
                place.then_with(|| other.span.cmp(&diagnostic.span)).is_le()
            });
            if diagnostic.level > Level::Allow {
                self.diagnostics.insert(at, diagnostic);
            }
        }
    }

    /// Keeps the first problems of each file, errors before warnings, and summarizes the others in one
    /// diagnostic. Nobody fixes more than these before the next check.
    fn shorten(&mut self, sources: &SourceMap) {
        let mut all = std::mem::take(&mut self.diagnostics).into_iter().peekable();
        while let Some(first) = all.next() {
            let path = &sources.file_of(first.span).path;
            let mut file = vec![first];
            while let Some(next) = all.next_if(|next| sources.file_of(next.span).path == *path) {
                file.push(next);
            }
            let errors = file.iter().filter(|one| one.level == Level::Error).count();
            let mut room = (errors.min(MAX_PROBLEMS), MAX_PROBLEMS.saturating_sub(errors));
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
                let more = more
                    .get_or_insert_with(|| rule::files::MORE_PROBLEMS.report_at(diagnostic.span.head(), ""));
                more.level = if left_out == 1 { diagnostic.level } else { more.level.max(diagnostic.level) };
                self.left_out.push(diagnostic);
            }
            if let Some(mut more) = more {
                let problems = if left_out == 1 { "problem" } else { "problems" };
                more.title = format!("{left_out} more {problems} in this file");
                self.diagnostics.push(
                    more.label("the first of them is here")
                        .help("fix the reported problems, then check again"),
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

impl Diagnostic {
    /// Cuts texts that are too long to be read.
    fn cut(&mut self) {
        for text in [&mut self.title, &mut self.label, &mut self.help] {
            if text.len() > LONGEST {
                *text = skills_text::cut(text, LONGEST);
            }
        }
    }

    /// Adds it to a report.
    pub fn add_to(self, report: &mut Report) {
        report.push(self);
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Report};
    use crate::rule::files::SECRET_FILE;
    use crate::span::Span;

    // SPEC 12.10
    #[test]
    fn long_texts_of_a_problem_are_cut() {
        let mut report = Report::default();
        let long = "é".repeat(LONGEST * 2);
        report.push(SECRET_FILE.report_at(Span::default(), &*long).label(&*long).help(&*long));
        for found in &report.diagnostics {
            for text in [&found.title, &found.label, &found.help] {
                assert_eq!(text.chars().count(), LONGEST + 1);
            }
        }
    }
}
