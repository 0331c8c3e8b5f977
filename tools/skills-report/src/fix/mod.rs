//! Applies fixes until nothing changes, to an overlay and never to the disk; `write` and `diff` output the
//! result.
//!
//! A fix is kept only if it reduces the number of problems. Problems that hide others count first, then
//! errors, then all problems. So a fix never breaks something that was right, however the new text is parsed.

mod diff;
mod kept;
mod place;
mod target;
mod title;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use skills_core::Loaded;
use skills_core::diagnostic::Diagnostic;
use skills_core::edit::{Applicability, Fix};
use skills_core::level::Level;
use skills_core::problems::Problems;
use skills_core::projects::LoadedProjects;
use skills_core::read::Overlay;
use skills_core::report::Report;
use skills_core::rule::files;
use skills_core::session::Session;
use skills_core::span::{SourceMap, Span};

pub use self::diff::{diff, diff_texts};
pub use self::kept::{is_fixable, offered};
pub use self::place::{FixStep, TextEdit, edits, steps};
use self::target::Target;
pub use self::title::title;
pub use self::write::write;

/// A checked directory of skills or of projects.
pub trait Checked {
    /// Returns the problems.
    fn report(&self) -> &Report;
    /// Returns the texts of its places.
    fn sources(&self) -> &SourceMap;
}

impl Checked for Loaded {
    fn report(&self) -> &Report {
        &self.report
    }

    fn sources(&self) -> &SourceMap {
        self.catalog.sources()
    }
}

impl Checked for Problems {
    fn report(&self) -> &Report {
        &self.report
    }

    fn sources(&self) -> &SourceMap {
        &self.sources
    }
}

impl Checked for Session {
    fn report(&self) -> &Report {
        self.report()
    }

    fn sources(&self) -> &SourceMap {
        self.sources()
    }
}

impl Checked for LoadedProjects {
    fn report(&self) -> &Report {
        &self.report
    }

    fn sources(&self) -> &SourceMap {
        &self.sources
    }
}

/// The result of fixing a directory.
#[derive(Debug)]
pub struct Fixed<J> {
    /// The directory, checked with the fixes applied.
    pub checked: J,
    /// The files that differ from the disk.
    pub over: Overlay,
    /// The renamed files, by their real paths, in order.
    pub renamed: Vec<(PathBuf, PathBuf)>,
    /// For each file that differs, its contents on disk when it was read; `None` if the file did not exist.
    pub found: Found,
    /// The number of fixed problems.
    pub solved: usize,
    /// The number of problems that had a fix before the first one was applied.
    pub offered: usize,
    /// Whether the limit on the work stopped the fixes early.
    pub is_cut: bool,
}

/// The contents on disk when they were read, by path; `None` for a file that did not exist.
pub type Found = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// The maximum number of rounds for large texts, and the maximum number of checked bytes for small texts.
const ROUNDS: usize = 64;
const BYTES: usize = 1 << 26;

/// The largest file that a fix changes or compares, in bytes. A project can raise the limits for its skills.
const MAX_FIXED: u64 = 256 << 20;

/// Applies all fixes with at least the applicability `least`, until no fix improves the result.
///
/// `root` is the directory, `check` checks it with an overlay, and `over` is the overlay of an editor.
///
/// # Errors
/// Fails if the root, or a file to fix, cannot be read.
pub fn fix<J: Checked>(
    root: &Path,
    over: Overlay,
    least: Applicability,
    check: impl Fn(&Overlay) -> J,
) -> io::Result<Fixed<J>> {
    let root = root.canonicalize()?;
    let (renamed, found) = (Vec::new(), BTreeMap::new());
    let checked = check(&over);
    let offered = problems(&checked).filter_map(|problem| offered(problem, checked.sources()));
    let offered = offered.filter(|fix| fix.applicability <= least).count();
    let mut fixed = Fixed { checked, over, renamed, found, solved: 0, offered, is_cut: false };
    let mut refused: BTreeSet<Key> = BTreeSet::new();
    let mut most = usize::MAX;
    let bytes: usize = fixed.checked.sources().files().iter().map(|file| file.text.len()).sum();
    let rounds = (BYTES / bytes.max(1)).clamp(ROUNDS, BYTES / 1024);
    for round in 0.. {
        skills_text::work::count(bytes);
        let mut target = Target::new(&root, fixed.over.clone());
        let batch = gather(&fixed.checked, &mut target, least, most, &refused)?;
        fixed.is_cut = round == rounds && !batch.is_empty();
        if fixed.is_cut || batch.is_empty() {
            break;
        }
        let tried = Tried { checked: check(&target.over), target };
        let (old, new) = (count(&fixed.checked), count(&tried.checked));
        // If either all of these problems hide others or none does, this is the same condition as for each
        // fix alone.
        let all = if batch.iter().all(|key| key.hides) {
            new.hiding + batch.len() <= old.hiding
        } else {
            new.hiding <= old.hiding && new.errors <= old.errors && new.all + batch.len() <= old.all
        };
        if all || (batch.len() == 1 && new < old) {
            fixed.take(tried);
            most = most.saturating_mul(2);
        } else if batch.len() > 1 {
            most = batch.len() / 2;
        } else if let Some(tried) = follow(&fixed.checked, tried, least, &check)? {
            fixed.take(tried);
        } else {
            refused.extend(batch);
        }
    }
    Ok(fixed)
}

/// The directory after an attempted fix.
struct Tried<'r, J> {
    checked: J,
    target: Target<'r>,
}

impl<J: Checked> Fixed<J> {
    /// Accepts an attempt.
    fn take(&mut self, Tried { checked, target }: Tried<'_, J>) {
        let (old, new) = (count(&self.checked), count(&checked));
        self.solved += old.all.saturating_sub(new.all).max(1);
        self.renamed.extend(target.renamed);
        for (path, bytes) in target.found {
            self.found.entry(path).or_insert(bytes);
        }
        self.over = target.over;
        self.checked = checked;
    }
}

/// Also applies fixes for problems that a fix caused elsewhere, such as in calls of a renamed skill. Returns
/// `None` if the combination is not an improvement.
fn follow<'r, J: Checked>(
    before: &J,
    tried: Tried<'r, J>,
    least: Applicability,
    check: impl Fn(&Overlay) -> J,
) -> io::Result<Option<Tried<'r, J>>> {
    let Tried { checked, mut target } = tried;
    if gather(&checked, &mut target, least, usize::MAX, &keys(before))?.is_empty() {
        return Ok(None);
    }
    let checked = check(&target.over);
    Ok((count(&checked) < count(before)).then_some(Tried { checked, target }))
}

fn keys(checked: &impl Checked) -> BTreeSet<Key> {
    let mut seen = Seen::new();
    problems(checked).map(|diagnostic| key(diagnostic, checked.sources(), &mut seen)).collect()
}

/// Returns all problems. The problems omitted for files with too many problems come last.
fn problems(checked: &impl Checked) -> impl Iterator<Item = &Diagnostic> {
    let report = checked.report();
    report.diagnostics.iter().chain(&report.left_out)
}

/// The identity of a problem across rounds, in which offsets change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    code: &'static str,
    path: String,
    title: String,
    /// How many problems with the same code, path and title come before it.
    before: usize,
    /// Whether it hides other problems.
    hides: bool,
}

/// The number of problems with the same name.
type Seen = BTreeMap<(&'static str, String, String), usize>;

/// The numbers of problems. Of two counts, the first number that differs decides which one is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Count {
    /// Problems that hide others: fixing one may reveal some.
    hiding: usize,
    errors: usize,
    all: usize,
}

fn count(checked: &impl Checked) -> Count {
    let hiding = problems(checked).filter(|found| found.rule.hides).count();
    let real = || problems(checked).filter(|found| found.rule.code != files::MORE_PROBLEMS.code);
    let errors = real().filter(|found| found.level == Level::Error).count();
    Count { hiding, errors, all: real().count() }
}

/// Applies up to `most` fixes that do not conflict, in the order of the report, and returns their problems. If there
/// are fixes for problems that hide others, applies only these.
fn gather(
    checked: &impl Checked,
    target: &mut Target<'_>,
    least: Applicability,
    most: usize,
    refused: &BTreeSet<Key>,
) -> io::Result<Vec<Key>> {
    let sources = checked.sources();
    let mut taken = EditedPlaces::default();
    let mut edits: Vec<TextEdit> = Vec::new();
    let mut batch = Vec::new();
    let mut files = None;
    let mut seen = Seen::new();
    let mut fixes: Vec<(Key, &Fix)> = Vec::new();
    for diagnostic in problems(checked) {
        let key = key(diagnostic, sources, &mut seen);
        let fix = offered(diagnostic, sources).filter(|fix| fix.applicability <= least);
        fixes.extend(fix.filter(|_| !refused.contains(&key)).map(|fix| (key, fix)));
    }
    let is_text = |fix: &Fix| self::edits(fix, sources).is_some_and(|edits| !edits.is_empty());
    if fixes.iter().any(|(key, fix)| key.hides && is_text(fix)) {
        fixes.retain(|(key, _)| key.hides);
    }
    for (key, fix) in fixes {
        if batch.len() == most {
            break;
        }
        let steps = steps(fix, sources);
        let texts: Vec<&TextEdit> = steps.iter().filter_map(FixStep::text).collect();
        if texts.len() < steps.len() {
            // A fix that changes files is applied alone, after all fixes of texts.
            files = files.or(Some((key, steps)));
            continue;
        }
        if texts.is_empty()
            || texts.iter().any(|edit| taken.meets(edit.span, edit.text.starts_with('\n')))
            || !texts.iter().all(|edit| target.is_as_read(edit, sources))
        {
            continue;
        }
        texts.iter().for_each(|edit| taken.add(edit.span));
        edits.extend(texts.into_iter().cloned());
        batch.push(key);
    }
    if batch.is_empty()
        && let Some((key, steps)) = files
    {
        // A step that cannot be applied changes no file, so the attempt is not an improvement and is
        // rejected.
        for step in steps {
            target.apply(step, sources)?;
        }
        batch.push(key);
        return Ok(batch);
    }
    target.edit(edits, sources);
    Ok(batch)
}

/// The places of the edits that are made together.
#[derive(Default)]
struct EditedPlaces {
    /// Replaced texts, which do not overlap: from their start to their end.
    gone: BTreeMap<u32, u32>,
    /// The places of insertions.
    inserted: BTreeSet<u32>,
}

impl EditedPlaces {
    fn add(&mut self, span: Span) {
        if span.start == span.end {
            self.inserted.insert(span.start);
        } else {
            self.gone.insert(span.start, span.end);
        }
    }

    /// Returns `true` if an edit conflicts with an earlier one. Lines inserted below the same line keep their
    /// order and do not conflict.
    fn meets(&self, span: Span, is_below: bool) -> bool {
        let is_inserted = span.start == span.end;
        // The replaced texts do not overlap, so the text that starts last also ends last.
        let before = self.gone.range(..span.end.saturating_add(u32::from(is_inserted))).next_back();
        before.is_some_and(|(_, end)| *end > span.start || (is_inserted && *end == span.start))
            || (!(is_inserted && is_below) && self.inserted.range(span.start..=span.end).next().is_some())
    }
}

/// Returns a key for a problem. It differs from the keys of all earlier problems.
fn key(diagnostic: &Diagnostic, sources: &SourceMap, seen: &mut Seen) -> Key {
    let path = sources.file_of(diagnostic.span).path.clone();
    let (code, title) = (diagnostic.rule.code, diagnostic.title.clone());
    let before = seen.entry((code, path.clone(), title.clone())).or_insert(0);
    *before += 1;
    Key { code, path, title, before: *before - 1, hides: diagnostic.rule.hides }
}

#[cfg(test)]
mod tests {
    use skills_core::edit::Change;

    use super::{Applicability, Checked, Fix, Overlay, Report, SourceMap, files, fix};

    /// Texts that have a problem for each `x`, of which only the first has a fix.
    struct Crosses(Report, SourceMap);

    impl Checked for Crosses {
        fn report(&self) -> &Report {
            &self.0
        }

        fn sources(&self) -> &SourceMap {
            &self.1
        }
    }

    // SPEC 17.2: the work is bounded by the bytes that are checked again, and remaining fixes are reported.
    #[test]
    fn fixes_end_when_too_much_was_checked() {
        for (bytes, crosses, solved) in [(0, 100, 100), (1 << 20, 64, 64), (1 << 20, 100, 64)] {
            let dir = tempfile::tempdir().expect("a directory");
            let path = dir.path().canonicalize().expect("it exists").join("a.txt");
            std::fs::write(&path, "+".repeat(crosses) + &" ".repeat(bytes)).expect("a file");
            let check = |over: &Overlay| {
                let text = match over.get(&path).flatten() {
                    Some(file) => file.bytes.clone(),
                    None => std::fs::read(&path).expect("a file"),
                };
                let text = String::from_utf8(text).expect("a text");
                let count = text.matches('+').count();
                let mut sources = SourceMap::new("");
                let file = sources.add("a.txt".to_owned(), text, None);
                let mut report = Report::default();
                for at in 0..count {
                    let span = sources.file(file).span(at..at + 1);
                    let mut cross = files::SECRET_FILE.report_at(span, "a cross");
                    let changes = vec![Change::Replace { span, text: String::new() }];
                    cross.fix = (at == 0).then_some(Fix {
                        applicability: Applicability::Safe,
                        changes,
                        repeated: None,
                    });
                    report.push(cross);
                }
                Crosses(report, sources)
            };
            let fixed = fix(dir.path(), Overlay::default(), Applicability::Safe, check).expect("it is read");
            assert_eq!(fixed.solved, solved, "{bytes} {crosses}");
            assert_eq!(fixed.is_cut, crosses > solved, "{bytes} {crosses}");
        }
    }
}
