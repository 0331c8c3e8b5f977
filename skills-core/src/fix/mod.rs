//! Fixes are applied until nothing changes, over the disk and never on it; `write` and `diff` take what came of it
//! (SPEC 17.1 to 17.4).
//!
//! A fix stays only when what is wrong becomes less: first what hides other problems, then errors, then all problems. So
//! none breaks what was right, whatever the reader makes of the new text.

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

/// What was judged: a directory of skills, or of projects.
pub trait Judged {
    /// The problems.
    fn report(&self) -> &Report;
    /// The texts that their places lie in.
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

/// What the fixes make of a directory.
#[derive(Debug)]
pub struct Fixed<J> {
    /// The directory as it is judged with the fixes.
    pub judged: J,
    /// The files that are other than on disk.
    pub over: Overlay,
    /// The files that got another name, by their real paths, in order.
    pub renamed: Vec<(PathBuf, PathBuf)>,
    /// What was on disk of the files that are other now, when it was read; nothing where no file was.
    pub found: Found,
    /// How many problems were mended.
    pub mended: usize,
}

/// What was on disk when it was read, by path; nothing where no file was.
pub type Found = BTreeMap<PathBuf, Option<Vec<u8>>>;

/// The rounds after which what is left is left: each mends something, so this is reached by no text of a person.
const ROUNDS: usize = 10_000;

/// Applies the fixes that are at least as sure as `least` until none is left that makes things better.
///
/// `root` is the directory, `judge` judges it with files over it, `over` are those of an editor.
///
/// # Errors
/// The root, or a file that is to be mended, cannot be read.
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

/// What fixes would make of the directory.
struct Tried<'r, J> {
    judged: J,
    target: Target<'r>,
}

impl<J: Judged> Fixed<J> {
    /// Keeps what was tried.
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

/// Mends what a fix made wrong elsewhere, such as the calls of a skill that it gave another name; nothing when all of that
/// together is no better.
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

/// Names all problems.
fn keys(judged: &impl Judged) -> BTreeSet<Key> {
    let mut keys = BTreeSet::new();
    for diagnostic in &judged.report().diagnostics {
        key(diagnostic, judged.sources(), &mut keys);
    }
    keys
}

/// Names a problem across rounds, in which offsets move.
type Key = (&'static str, String, String, usize);

/// How much is wrong; the first number that differs decides which of two is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Count {
    /// Problems behind which others are not seen: to mend one may show some.
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
    // What is left out of a file with too many comes up when those before it are mended: it was there all the time.
    let (errors, all) = (judged.report().errors() + left_out.0, diagnostics.len() + left_out.1);
    Count { hiding: hiding.count(), errors, all }
}

/// Applies up to `most` fixes that do not meet, in the order of the report; returns the problems they are for.
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
            // What changes files waits until the texts are done, and is done alone.
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
        // What cannot be done leaves the files as they are, is no better then, and is refused.
        for step in steps {
            target.apply(step, sources)?;
        }
        batch.push(key);
        return Ok(batch);
    }
    target.edit(edits, sources);
    Ok(batch)
}

/// Names a problem, as none of those before it is named.
fn key(diagnostic: &Diagnostic, sources: &SourceMap, seen: &mut BTreeSet<Key>) -> Key {
    let path = sources.file_of(diagnostic.span).path.clone();
    let mut key = (diagnostic.rule.code, path, diagnostic.title.clone(), 0);
    while !seen.insert(key.clone()) {
        key.3 += 1;
    }
    key
}
