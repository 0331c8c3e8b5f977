//! Applies fixes until nothing changes, to an overlay and never to the disk; `write` and `diff` output the
//! result.
//!
//! A fix is kept only if it reduces the problems: first problems that hide others, then errors, then all
//! problems. A fix therefore never breaks something that was right, however the new text is parsed.

mod diff;
mod place;
mod target;
#[cfg(feature = "reports")]
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

pub use self::diff::diff;
pub use self::place::{Step, TextEdit, edits, steps};
use self::target::Target;
#[cfg(feature = "reports")]
pub use self::write::write;
use crate::Loaded;
use crate::diagnostic::Diagnostic;
use crate::edit::Applicability;
use crate::projects::LoadedProjects;
use crate::read::Overlay;
use crate::report::Report;
use crate::span::{SourceMap, Span};

/// A checked directory of skills or of projects.
pub trait Judged {
    /// Returns the problems.
    fn report(&self) -> &Report;
    /// Returns the texts of its places.
    fn sources(&self) -> &SourceMap;
}

impl Judged for Loaded {
    fn report(&self) -> &Report {
        &self.report
    }

    fn sources(&self) -> &SourceMap {
        self.catalog.sources()
    }
}

impl Judged for LoadedProjects {
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
    pub judged: J,
    /// The files that differ from the disk.
    pub over: Overlay,
    /// The renamed files, by their real paths, in order.
    pub renamed: Vec<(PathBuf, PathBuf)>,
    /// The contents on disk of the files that differ, from when they were read; `None` for a file that did
    /// not exist.
    pub found: Found,
    /// The number of fixed problems.
    pub mended: usize,
}

/// The contents on disk when they were read, by path; `None` for a file that did not exist.
pub type Found = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// The maximum number of rounds. Each round fixes something, so no text written by a person reaches it.
const ROUNDS: usize = 10_000;

/// Applies all fixes with at least the applicability `least`, until no fix improves the result.
///
/// `root` is the directory, `judge` checks it with an overlay, and `over` is the overlay of an editor.
///
/// # Errors
/// Fails if the root, or a file to fix, cannot be read.
pub fn fix<J: Judged>(
    root: &Path,
    over: Overlay,
    least: Applicability,
    judge: impl Fn(&Overlay) -> J,
) -> io::Result<Fixed<J>> {
    let root = root.canonicalize()?;
    let (renamed, found) = (Vec::new(), BTreeMap::new());
    let mut fixed = Fixed { judged: judge(&over), over, renamed, found, mended: 0 };
    let mut refused: BTreeSet<Key> = BTreeSet::new();
    let mut most = usize::MAX;
    for _ in 0..ROUNDS {
        let mut target = Target::new(&root, fixed.over.clone());
        let batch = gather(&fixed.judged, &mut target, least, most, &refused)?;
        if batch.is_empty() {
            break;
        }
        let tried = Tried { judged: judge(&target.over), target };
        let (old, new) = (count(&fixed.judged), count(&tried.judged));
        let all = new.hiding <= old.hiding && new.errors <= old.errors && new.all + batch.len() <= old.all;
        if all || (batch.len() == 1 && new < old) {
            fixed.take(tried);
            most = most.saturating_mul(2);
        } else if batch.len() > 1 {
            most = batch.len() / 2;
        } else if let Some(tried) = follow(&fixed.judged, tried, least, &judge)? {
            fixed.take(tried);
        } else {
            refused.extend(batch);
        }
    }
    Ok(fixed)
}

/// The directory after an attempted fix.
struct Tried<'r, J> {
    judged: J,
    target: Target<'r>,
}

impl<J: Judged> Fixed<J> {
    /// Accepts an attempt.
    fn take(&mut self, Tried { judged, target }: Tried<'_, J>) {
        let (old, new) = (count(&self.judged), count(&judged));
        self.mended += old.all.saturating_sub(new.all).max(1);
        self.renamed.extend(target.renamed);
        for (path, bytes) in target.found {
            self.found.entry(path).or_insert(bytes);
        }
        self.over = target.over;
        self.judged = judged;
    }
}

/// Applies fixes also for problems that a fix caused elsewhere, such as in the calls of a renamed skill;
/// `None` if the combination is not an improvement.
fn follow<'r, J: Judged>(
    before: &J,
    tried: Tried<'r, J>,
    least: Applicability,
    judge: impl Fn(&Overlay) -> J,
) -> io::Result<Option<Tried<'r, J>>> {
    let Tried { judged, mut target } = tried;
    if gather(&judged, &mut target, least, usize::MAX, &keys(before))?.is_empty() {
        return Ok(None);
    }
    let judged = judge(&target.over);
    Ok((count(&judged) < count(before)).then_some(Tried { judged, target }))
}

/// Returns the keys of all problems.
fn keys(judged: &impl Judged) -> BTreeSet<Key> {
    let mut keys = BTreeSet::new();
    for diagnostic in &judged.report().diagnostics {
        key(diagnostic, judged.sources(), &mut keys);
    }
    keys
}

/// The identity of a problem across rounds, in which offsets change.
type Key = (&'static str, String, String, usize);

/// The number of problems; the first number that differs decides which of two results is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Count {
    /// Problems that hide others: fixing one may reveal some.
    hiding: usize,
    errors: usize,
    all: usize,
}

fn count(judged: &impl Judged) -> Count {
    let Report { diagnostics, left_out } = judged.report();
    let hiding = diagnostics.iter().filter(|found| {
        let code = found.rule.code;
        matches!(code, "json-syntax" | "not-utf8" | "file-name-case" | "root-empty")
            || ["frontmatter-", "toml-", "yaml-"].iter().any(|group| code.starts_with(group))
    });
    // Problems left out of a file with too many are counted too, because they appear when earlier ones are
    // fixed.
    let (errors, all) = (judged.report().errors() + left_out.0, diagnostics.len() + left_out.1);
    Count { hiding: hiding.count(), errors, all }
}

/// Applies up to `most` fixes that do not overlap, in the order of the report; returns the problems they fix.
fn gather(
    judged: &impl Judged,
    target: &mut Target<'_>,
    least: Applicability,
    most: usize,
    refused: &BTreeSet<Key>,
) -> io::Result<Vec<Key>> {
    let sources = judged.sources();
    let mut taken: Vec<Span> = Vec::new();
    let mut edits: Vec<TextEdit> = Vec::new();
    let mut batch = Vec::new();
    let mut files = None;
    let mut seen: BTreeSet<Key> = BTreeSet::new();
    for diagnostic in &judged.report().diagnostics {
        let key = key(diagnostic, sources, &mut seen);
        let Some(fix) = diagnostic.fix.as_ref().filter(|fix| fix.applicability <= least) else { continue };
        if batch.len() == most {
            break;
        }
        if refused.contains(&key) {
            continue;
        }
        let steps = steps(fix, sources);
        let texts: Vec<&TextEdit> = steps.iter().filter_map(Step::text).collect();
        if texts.len() < steps.len() {
            // A change of files waits until all texts are done, and is applied alone.
            files = files.or(Some((key, steps)));
            continue;
        }
        let meets = |edit: &&TextEdit| {
            taken.iter().any(|span| span.start <= edit.span.end && edit.span.start <= span.end)
        };
        if texts.is_empty()
            || texts.iter().any(meets)
            || !texts.iter().all(|edit| target.is_as_read(edit, sources))
        {
            continue;
        }
        taken.extend(texts.iter().map(|edit| edit.span));
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

/// Returns the key of a problem, different from all keys seen before.
fn key(diagnostic: &Diagnostic, sources: &SourceMap, seen: &mut BTreeSet<Key>) -> Key {
    let path = sources.file_of(diagnostic.span).path.clone();
    let mut key = (diagnostic.rule.code, path, diagnostic.title.clone(), 0);
    while !seen.insert(key.clone()) {
        key.3 += 1;
    }
    key
}
