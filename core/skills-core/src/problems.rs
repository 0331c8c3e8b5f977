//! Checks a directory and returns only its problems, for `skills check`. A skill is read, checked and released before
//! the next one is read, so thousands of skills need little memory.

use std::path::Path;

use skills_text::{Places, path_below, sort};

use crate::check::{CheckedSkills, Releasing, check_released};
use crate::diagnostic::Diagnostic;
use crate::options::Options;
use crate::parse::parse_skill;
use crate::read::CARGO_MANIFEST;
use crate::read::{self, Overlay, PassedOver, SkillDir};
use crate::report::Report;
use crate::rule::files::ROOT_EMPTY;
use crate::span::SourceMap;
use crate::{Loaded, Tally};

/// The problems of a directory of skills.
#[derive(Debug)]
pub struct Problems {
    /// The texts at the places of the problems.
    pub sources: SourceMap,
    /// All problems that [`load`](crate::load) finds, settled and sorted.
    pub report: Report,
    /// The numbers of checked and passed-over skills.
    pub tally: Tally,
    /// The `Cargo.toml` files outside of skills, by their paths below the root, if the directory was searched for
    /// folders of skills.
    pub manifests: Vec<String>,
    /// The folders of skills, by their paths below the root, each of which is judged by itself.
    pub folders: Vec<String>,
}

/// Reads and checks a directory of skills as [`load`](crate::load) does, and keeps no skill.
///
/// ```
/// use std::path::Path;
/// let found = skills_core::problems::find(Path::new("no/such/dir"), "no/such/dir", &Default::default());
/// assert_eq!((found.report.errors(), found.tally.checked), (1, 0));
/// ```
pub fn find(root: &Path, label: &str, options: &Options) -> Problems {
    let (mut report, mut tally) = (Report::default(), Tally::default());
    let (mut checked, mut releasing) = (CheckedSkills::default(), Releasing::new(options));
    let mut at = 0;
    let mut folders: Vec<String> = Vec::new();
    let mut take = |dir: SkillDir, sources: &mut SourceMap, report: &mut Report| {
        let mut found = Report::default();
        if folders.last() != Some(&dir.folder) {
            folders.push(dir.folder.clone());
        }
        let skill = parse_skill(at, dir, sources, options.profile, &mut found);
        tally.count(at, &skill, options.profile);
        checked.check(at, skill, sources, options, found);
        releasing.release(&mut checked, options, sources, report);
        at += 1;
    };
    let sources = SourceMap::new(label);
    let tree =
        read::read_each(sources, root, label, &options.read, &Overlay::default(), &mut report, &mut take);
    let mut sources = tree.sources;
    let passed_over = std::mem::replace(&mut tally.passed_over, tree.passed_over);
    tally.passed_over.extend(passed_over);
    check_released(checked, &tree.others, options, &mut sources, &mut report);
    Problems { sources, report, tally, manifests: manifests(&tree.others), folders }
}

/// Returns the `Cargo.toml` files among files.
pub fn manifests(files: &[String]) -> Vec<String> {
    files.iter().filter(|path| path.rsplit('/').next() == Some(CARGO_MANIFEST)).cloned().collect()
}

impl From<Loaded> for Problems {
    fn from(Loaded { catalog, report, tally }: Loaded) -> Self {
        Self { sources: catalog.into_sources(), report, tally, manifests: Vec::new(), folders: Vec::new() }
    }
}

impl Problems {
    /// Replaces what was found in directories by what the builds of these bundles report. Each bundle is given with its
    /// path below this root.
    pub fn with_bundles(mut self, bundles: Vec<(String, Problems)>) -> Self {
        if bundles.is_empty() {
            return self;
        }
        let Report { diagnostics, left_out, repeated } = &mut self.report;
        for found in [diagnostics, left_out] {
            found.retain(|found| {
                found.rule.code != ROOT_EMPTY.code
                    && !is_of_bundles(&self.sources.file_of(found.span).path, &bundles)
            });
        }
        repeated.retain(|found| !is_of_bundles(&join(&found.path, SKILL), &bundles));
        self.folders.retain(|path| !is_of_bundles(&join(path, SKILL), &bundles));
        self.tally.skills.retain(|(_, path)| !is_of_bundles(&join(path, SKILL), &bundles));
        for (below, bundle) in bundles {
            self.append(&below, bundle);
        }
        self.sort();
        self.tally.checked = self.tally.skills.len();
        let Tally { skills, passed_over, .. } = &mut self.tally;
        let mut checked = Places::default();
        for (at, (_, skill)) in skills.iter().enumerate() {
            checked.insert(join(skill, SKILL), at);
        }
        passed_over.retain(|passed| checked.get(&passed.path).is_none());
        sort(passed_over, &|a, b| a.cmp(b));
        passed_over.dedup_by(|a, b| a.path == b.path);
        self
    }

    /// Adds problems of files that are not below the root, such as `Cargo.toml`. They come first.
    pub fn with_others(mut self, report: Report, sources: SourceMap) -> Self {
        let distance = self.sources.append(sources, None, 0);
        let mut found = report.diagnostics;
        for problem in &mut found {
            problem.relocate(distance, "");
            // Fixes are applied to files below the root only.
            problem.fix = None;
        }
        found.append(&mut self.report.diagnostics);
        self.report.diagnostics = found;
        self
    }

    fn append(&mut self, below: &str, bundle: Problems) {
        let numbers = self.sources.files().iter().filter_map(|file| file.skill).map(|skill| skill + 1);
        let numbers = numbers.chain(self.tally.skills.iter().map(|(at, _)| at + 1)).max().unwrap_or(0);
        let distance = self.sources.append(bundle.sources, Some(below), numbers);
        let Report { mut diagnostics, mut left_out, .. } = bundle.report;
        for problem in diagnostics.iter_mut().chain(&mut left_out) {
            problem.relocate(distance, below);
        }
        self.report.diagnostics.append(&mut diagnostics);
        self.report.left_out.append(&mut left_out);
        let Tally { skills, passed_over, .. } = bundle.tally;
        let mut known = Places::default();
        for (at, (_, path)) in self.tally.skills.iter().enumerate() {
            known.insert(path.clone(), at);
        }
        for (at, path) in skills {
            let path = join(below, &path);
            // Two crates may bundle the same directory.
            if known.insert(path.clone(), at).is_none() {
                self.tally.skills.push((at + numbers, path));
            }
        }
        let passed_over = passed_over.into_iter();
        self.tally
            .passed_over
            .extend(passed_over.map(|passed| PassedOver { path: join(below, &passed.path), ..passed }));
    }

    /// Sorts the problems by path and place, and drops equal ones, which several crates that bundle the same directory
    /// report.
    fn sort(&mut self) {
        let sources = &self.sources;
        sort(&mut self.report.diagnostics, &|a, b| sort_key(a, sources).cmp(&sort_key(b, sources)));
        self.report.diagnostics.dedup_by(|a, b| sort_key(a, sources) == sort_key(b, sources));
    }
}

/// Returns the path, the place, the rule and the title of a problem, by which problems are sorted.
fn sort_key<'p>(found: &'p Diagnostic, sources: &'p SourceMap) -> (&'p str, usize, usize, &'p str, &'p str) {
    let range = sources.range(found.span);
    (&sources.file_of(found.span).path, range.start, range.end, found.rule.code, &found.title)
}

/// The file that makes a directory a skill.
const SKILL: &str = "SKILL.md";

/// Returns `true` if one of the bundles reads a path. A bundle has no files in hidden directories or in directories of
/// tools.
fn is_of_bundles(path: &str, bundles: &[(String, Problems)]) -> bool {
    let path = if path == "." { "" } else { path };
    bundles.iter().filter_map(|(root, _)| path_below(path, root)).any(|rest| {
        let directories = rest.rsplit_once('/').map_or("", |(directories, _)| directories);
        !directories.split('/').any(read::is_closed)
    })
}

/// Joins two paths, either of which may be empty.
fn join(above: &str, path: &str) -> String {
    match (above, path) {
        ("", path) => path.to_owned(),
        (above, "" | ".") => above.to_owned(),
        (above, path) => format!("{above}/{path}"),
    }
}
